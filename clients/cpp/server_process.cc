#include "clients/cpp/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

namespace talus::client {
namespace {

using Clock = std::chrono::steady_clock;

Error SystemError(const std::string& what) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = what + ": " + std::strerror(errno);
  return error;
}

// The child between fork and exec: only calls that are safe after a fork of a threaded process.
[[noreturn]] void BecomeServer(char* const* arguments, char* const* environment, int output,
                               int log, pid_t parent) {
  ::dup2(output, STDOUT_FILENO);
  if (log >= 0) ::dup2(log, STDERR_FILENO);
  // A group of its own: the terminal's Ctrl-C is for the program that owns the server.
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::execvpe(arguments[0], arguments, environment);
  const char* text = std::strerror(errno);
  (void)!::write(STDERR_FILENO, text, std::strlen(text));
  (void)!::write(STDERR_FILENO, "\n", 1);
  ::_exit(127);
}

std::vector<char*> FindEnvironment(bool with_options) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (with_options || std::strncmp(*variable, "TALUS_", 6) != 0) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

constexpr char kSocketName[] = "/server.sock";
constexpr char kSystemFolder[] = "/tmp";

// A new directory for the socket, in TMPDIR or, where that does not do, in /tmp.
Result<std::string> MakeSocketDirectory() {
  constexpr size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;
  std::vector<std::string> folders;
  if (const char* named = std::getenv("TMPDIR"); named != nullptr && *named != '\0') {
    std::error_code ignored;
    folders.push_back(std::filesystem::absolute(named, ignored).string());
  }
  if (folders.empty() || folders[0] != kSystemFolder) folders.emplace_back(kSystemFolder);
  Error error = MakeError(Code::kUnavailable, "cannot make a directory for the socket");
  for (const std::string& folder : folders) {
    std::string path = folder + "/talus-XXXXXX";
    error.message += " in " + folder + ": ";
    if (path.size() + std::strlen(kSocketName) > kLongestPath) {
      error.message += "its path may have at most " + std::to_string(kLongestPath) + " bytes;";
    } else if (::mkdtemp(path.data()) != nullptr) {
      return path;
    } else {
      error.message += std::string(std::strerror(errno)) + ';';
    }
  }
  error.message += " set TMPDIR to a folder that can be written to";
  return error;
}

}  // namespace

std::string FindServerBinary(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* named = std::getenv("TALUS_SERVER"); named != nullptr && *named != '\0') {
    return named;
  }
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path beside = self.parent_path() / "talus_server";
  if (!self.empty() && ::access(beside.c_str(), X_OK) == 0) return beside.string();
  return "talus_server";
}

Result<ServerProcess> ServerProcess::Start(const ServerProcessOptions& options) {
  ServerProcess process;
  process.drain_timeout_ = options.drain_timeout;
  std::vector<std::string> words{FindServerBinary(options.binary)};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  const bool listens = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.rfind("--listen", 0) == 0;
  });
  if (!listens) {
    auto directory = MakeSocketDirectory();
    if (!directory) return directory.error();
    process.directory_ = *directory;
    words.push_back("--listen");
    words.push_back("unix:" + process.directory_ + kSocketName);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::vector<char*> environment = FindEnvironment(options.inherits_options);

  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return SystemError("cannot make a pipe");
  int log = -1;
  if (!options.log_path.empty()) {
    log = ::open(options.log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log < 0) {
      ::close(pipe_ends[0]);
      ::close(pipe_ends[1]);
      return SystemError("cannot open " + options.log_path);
    }
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    BecomeServer(arguments.data(), environment.data(), pipe_ends[1], log, parent);
  }
  ::close(pipe_ends[1]);
  if (log >= 0) ::close(log);
  process.output_ = pipe_ends[0];
  if (child < 0) return SystemError("cannot fork");
  process.pid_ = child;
  auto listening = process.ReadAddress(options.start_timeout);
  if (!listening) {
    Error error = listening.error();
    error.message = words[0] + ": " + error.message;
    return error;
  }
  return process;
}

Result<Done> ServerProcess::ReadAddress(std::chrono::milliseconds timeout) {
  constexpr char kPrefix[] = "listening on ";
  const Clock::time_point end = Clock::now() + timeout;
  std::string text;
  Error error;
  error.code = Code::kUnavailable;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waiting{output_, POLLIN, 0};
    const int ready = left.count() > 0 ? ::poll(&waiting, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      error.code = Code::kDeadlineExceeded;
      error.message = "did not listen within " + std::to_string(timeout.count()) + " ms";
      return error;
    }
    std::array<char, 256> chunk{};
    const ssize_t count = ::read(output_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      error.message = "ended before it listened; its log says why";
      return error;
    }
    text.append(chunk.data(), static_cast<size_t>(count));
    const size_t start = text.find(kPrefix);
    const size_t stop = start == std::string::npos ? start : text.find('\n', start);
    if (stop == std::string::npos) continue;
    const size_t first = start + std::strlen(kPrefix);
    address_ = text.substr(first, stop - first);
    return Done{};
  }
}

bool ServerProcess::Running() { return pid_ > 0 && !Wait(std::chrono::milliseconds{0}); }

std::optional<int> ServerProcess::Wait(std::chrono::milliseconds timeout) {
  const Clock::time_point end = Clock::now() + timeout;
  while (pid_ > 0) {
    const pid_t ended = ::waitpid(pid_, &wait_status_, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno == ECHILD)) {
      pid_ = -1;
      break;
    }
    if (Clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return wait_status_;
}

int ServerProcess::Terminate() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
  if (const auto status = Wait(drain_timeout_)) return *status;
  return Kill();
}

int ServerProcess::Kill() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  return wait_status_;
}

ServerProcess::ServerProcess(ServerProcess&& other) noexcept { *this = std::move(other); }

ServerProcess& ServerProcess::operator=(ServerProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(output_, other.output_);
  std::swap(wait_status_, other.wait_status_);
  std::swap(address_, other.address_);
  std::swap(directory_, other.directory_);
  std::swap(drain_timeout_, other.drain_timeout_);
  return *this;
}

ServerProcess::~ServerProcess() {
  Terminate();
  if (output_ >= 0) ::close(output_);
  if (!directory_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
}

}  // namespace talus::client
