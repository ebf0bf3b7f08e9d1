// Names, page tokens, and the file of bearer tokens.
#include <string>
#include <vector>

#include "server/security/token_table.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"
#include "solver/base/check.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {

void FeedNames(std::string_view bytes) {
  struct Kind {
    absl::StatusOr<std::string> (*parse)(std::string_view, const std::string&);
    std::string (*format)(std::string_view);
  };
  for (const Kind& kind :
       {Kind{ParseSceneName, FormatSceneName}, Kind{ParseSnapshotName, FormatSnapshotName},
        Kind{ParseRecordingName, FormatRecordingName}}) {
    const absl::StatusOr<std::string> id = kind.parse(bytes, "name");
    if (!id.ok()) {
      CheckRefusal(id.status());
      continue;
    }
    // What is safe inside a path, and the name it came from.
    TALUS_CHECK(!id->empty() && id->size() <= 64 && id->find('/') == std::string::npos);
    TALUS_CHECK(kind.format(*id) == bytes);
  }
  const std::vector<std::string> ids = {"a", "b", "c"};
  const int64_t page_size = bytes.empty() ? 0 : static_cast<signed char>(bytes.back());
  const auto numbers = FindNumberPage(0, std::string(bytes));
  if (!numbers.ok()) {
    CheckRefusal(numbers.status());
  } else if (!bytes.empty()) {
    TALUS_CHECK(numbers->after > 0 && numbers->size == 100);
  }
  const auto page = FindPage(ids, page_size, std::string(bytes));
  if (!page.ok()) return CheckRefusal(page.status());
  TALUS_CHECK(page->begin <= page->end && page->end <= ids.size());
}

void FeedTokenTable(std::string_view text) {
  const absl::StatusOr<TokenTable> table = TokenTable::Parse(text, "tokens");
  if (!table.ok()) return CheckRefusal(table.status());
  TALUS_CHECK(table->size() >= 1 && table->size() <= TokenTable::kMostTokens);
  (void)table->Find(text);
}

}  // namespace talus::fuzz
