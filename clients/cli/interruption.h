// SIGINT and SIGTERM as something a command can ask about between two pieces of work, or wait for
// through a stop token. One at a time in a process; the old handlers come back at its end. A
// signal that comes a second or more after the first ends the process at once.
#pragma once

#include <stop_token>
#include <thread>

namespace talus::cli {

class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool requested() const { return source_.stop_requested(); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread listener_;
};

}  // namespace talus::cli
