// Something the disk did or refused that no caller waits for, so that it can be logged: a scene
// brought back, a file that is damaged, a recording that ended by itself. The ring writes no log;
// whoever opens the host says where events go.
#pragma once

#include <functional>
#include <string>

namespace talus {

struct StorageEvent {
  enum class Severity { kInfo, kWarning };

  Severity severity = Severity::kInfo;
  const char* what = "";  // a short fixed phrase, as in "scene restored"
  std::string resource;   // as in `scenes/a`
  std::string detail;     // numbers or the reason
};

// Any thread, also several at once; must not block.
using StorageReport = std::function<void(const StorageEvent&)>;

}  // namespace talus
