#include "tests/bench/service/reader_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "server/runtime/time_slice.h"
#include "tests/bench/service/server_pair.h"

namespace talus::bench {
namespace {

// Up to the end of the line, or of what there is.
std::string ReadLine(int descriptor) {
  std::string line;
  for (char next = 0; ::read(descriptor, &next, 1) == 1 && next != '\n';) line += next;
  return line;
}

// 0 when it could not be started.
pid_t Spawn(std::string binary, int input, int output) {
  char* arguments[] = {binary.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, binary.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : 0;
}

}  // namespace

absl::StatusOr<ReaderProgram> ReaderProgram::Start() {
  int input[2];
  int output[2];
  if (::pipe2(input, O_CLOEXEC) != 0) return absl::UnavailableError("no pipe");
  if (::pipe2(output, O_CLOEXEC) != 0) {
    ::close(input[0]);
    ::close(input[1]);
    return absl::UnavailableError("no pipe");
  }
  std::signal(SIGPIPE, SIG_IGN);  // a program that has ended is told of, and not our end
  // Slices are inherited, and who watches asks for none.
  const auto own = std::chrono::duration_cast<std::chrono::microseconds>(FindTimeSlice());
  AskForTimeSlices(std::chrono::microseconds(0));
  const pid_t pid = Spawn(FindBeside("talus_frame_readers"), input[0], output[1]);
  AskForTimeSlices(own);
  ::close(input[0]);
  ::close(output[1]);
  ReaderProgram program(pid, input[1], output[0]);
  if (pid == 0) return absl::UnavailableError("cannot start talus_frame_readers");
  return program;
}

ReaderProgram::ReaderProgram(ReaderProgram&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)) {}

ReaderProgram::~ReaderProgram() {
  if (input_ >= 0) ::close(input_);
  if (output_ >= 0) ::close(output_);
  if (pid_ == 0) return;
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::StatusOr<std::string> ReaderProgram::Ask(const std::string& line) {
  const std::string sent = line + '\n';
  const bool whole = ::write(input_, sent.data(), sent.size()) == static_cast<ssize_t>(sent.size());
  const std::string told = whole ? ReadLine(output_) : "";
  if (!told.empty()) return told;
  return absl::UnavailableError("talus_frame_readers has ended; it says why");
}

absl::Status ReaderProgram::Open(const Readers& readers) {
  std::ostringstream line;
  line << readers.address << ' ' << readers.scene << ' ' << readers.live << ' ' << readers.stalled
       << ' ' << static_cast<int>(readers.numbers) << ' ' << readers.echoes << ' '
       << readers.echo_bytes;
  return Ask(line.str()).status();
}

absl::StatusOr<int64_t> ReaderProgram::Close() {
  const absl::StatusOr<std::string> fewest = Ask("close");
  if (!fewest.ok()) return fewest.status();
  return std::atoll(fewest->c_str());
}

}  // namespace talus::bench
