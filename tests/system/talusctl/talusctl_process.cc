#include "tests/system/talusctl/talusctl_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/file_text.h"

namespace talus::testing {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

TalusctlProcess::TalusctlProcess(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment) {
  std::string pattern = ::testing::TempDir() + "/talusctl-XXXXXX";
  folder_ = ::mkdtemp(pattern.data());
  std::vector<std::string> words{TALUSCTL_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.insert(variables.begin(), environment.begin(), environment.end());
  const std::vector<char*> argv = Pointers(words);
  const std::vector<char*> envp = Pointers(variables);
  const int out = ::open((folder_ + "/out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = ::open((folder_ + "/err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(out);
  ::close(err);
}

TalusctlProcess::~TalusctlProcess() {
  if (pid_ > 0) (void)Wait(std::chrono::seconds{0});
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void TalusctlProcess::Signal(int signal) {
  if (pid_ > 0) ::kill(pid_, signal);
}

bool TalusctlProcess::Running() {
  if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
  return pid_ > 0;
}

TalusctlResult TalusctlProcess::Wait(std::chrono::seconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (Running()) {
    if (std::chrono::steady_clock::now() >= end) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &status_, 0);
      pid_ = -1;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  TalusctlResult result;
  result.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  result.out = ReadText(folder_ + "/out");
  result.err = ReadText(folder_ + "/err");
  return result;
}

TalusctlResult Talusctl(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment) {
  TalusctlProcess process(arguments, environment);
  return process.Wait();
}

}  // namespace talus::testing
