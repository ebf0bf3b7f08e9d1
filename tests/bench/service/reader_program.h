// The readers before whom a scene is stepped, in a process of their own, as viewers are: what one
// process does with sixteen streams is no wait of the client that steps. They ask for no short time
// slices either. The program is talus_frame_readers, beside this one; it stays between turns, so
// that its memory is there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/service/watcher.h"

namespace talus::bench {

// Either watchers of a scene or readers of the bare echo, all at `address`.
struct Readers {
  std::string address;
  std::string scene;
  int live = 0;
  int stalled = 0;
  Numbers numbers = Numbers::kExact;
  int echoes = 0;
  uint32_t echo_bytes = 0;
};

class ReaderProgram {
 public:
  static absl::StatusOr<ReaderProgram> Start();
  ReaderProgram(ReaderProgram&& other) noexcept;
  ReaderProgram& operator=(ReaderProgram&&) = delete;
  // Ends the program and whoever reads.
  ~ReaderProgram();

  // Returns once each has its first frame. Nobody reads before.
  absl::Status Open(const Readers& readers);
  // Nobody reads any more; the fewest frames beside the first that a live one has, -1 where none
  // was live.
  absl::StatusOr<int64_t> Close();

 private:
  ReaderProgram(pid_t pid, int input, int output) : pid_(pid), input_(input), output_(output) {}
  absl::StatusOr<std::string> Ask(const std::string& line);

  pid_t pid_;
  int input_;   // of the program: a line for each Open and Close
  int output_;  // of the program: a line for each answer
};

}  // namespace talus::bench
