// Starting and ending a server, with scripts in its place that behave in every way a server should
// not.
#include "clients/cpp/server_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/support/wait_until.h"

namespace talus::client {
namespace {

using std::chrono::milliseconds;

// An executable script that is given a server's options.
std::string Script(const std::string& name, const std::string& body) {
  const std::string path = ::testing::TempDir() + "/" + name + ".sh";
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

// Set in the environment for the while.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

ServerProcessOptions With(const std::string& binary) {
  ServerProcessOptions options;
  options.binary = binary;
  options.drain_timeout = milliseconds{60000};
  return options;
}

constexpr char kListens[] = "echo \"listening on $2\"";
constexpr char kWaits[] = "while :; do sleep 0.05; done";

std::string SocketFolder(const ServerProcess& server) {
  EXPECT_EQ(server.address().rfind("unix:/", 0), 0u) << server.address();
  return std::filesystem::path(server.address().substr(5)).parent_path().string();
}

TEST(ServerProcess, KnowsTheAddressAndEndsTheProcess) {
  auto server = ServerProcess::Start(With(Script("good", std::string(kListens) + "\n" + kWaits)));
  ASSERT_TRUE(server) << server.error().ToString();
  const std::string folder = SocketFolder(*server);
  EXPECT_TRUE(std::filesystem::exists(folder));
  EXPECT_TRUE(server->Running());
  const pid_t pid = server->pid();
  const int status = server->Terminate();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_FALSE(server->Running());
  EXPECT_EQ(::kill(pid, 0), -1) << "no process and no zombie is left";
  server = Error{};
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(ServerProcess, KillsAServerThatDoesNotDrain) {
  ServerProcessOptions options =
      With(Script("stubborn", std::string("trap '' TERM\n") + kListens + "\n" + kWaits));
  options.drain_timeout = milliseconds{300};
  auto server = ServerProcess::Start(options);
  ASSERT_TRUE(server);
  const int status = server->Terminate();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(ServerProcess, SaysWhenTheServerEndsOrNeverListens) {
  auto ended = ServerProcess::Start(With(Script("broken", "exit 2")));
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.code(), Code::kUnavailable);
  ServerProcessOptions options = With(Script("silent", kWaits));
  options.start_timeout = milliseconds{100};
  EXPECT_EQ(ServerProcess::Start(options).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(ServerProcess::Start(With("/nowhere/talus_server")).code(), Code::kUnavailable);
}

TEST(ServerProcess, ReadsALineThatComesInPieces) {
  auto server = ServerProcess::Start(With(Script(
      "slow", std::string("printf 'other\\nlistening '\nsleep 0.1\nprintf 'on 127.0.0.1:7\\n'\n") +
                  kWaits)));
  ASSERT_TRUE(server);
  EXPECT_EQ(server->address(), "127.0.0.1:7");
}

TEST(ServerProcess, WritesTheLogWhereItIsTold) {
  ServerProcessOptions options =
      With(Script("chatty", std::string("echo hello >&2\n") + kListens + "\n" + kWaits));
  options.log_path = ::testing::TempDir() + "/server_process.log";
  std::filesystem::remove(options.log_path);
  auto server = ServerProcess::Start(options);
  ASSERT_TRUE(server);
  std::ifstream log(options.log_path);
  std::string word;
  log >> word;
  EXPECT_EQ(word, "hello");
}

TEST(ServerProcess, PassesTheOptionsOfTheEnvironmentOnWhenItIsTold) {
  const Variable workers("TALUS_WORKERS", "3");
  const Variable other("TALUSMAN", "here");
  ServerProcessOptions options = With(Script(
      "curious", std::string("echo \"listening on ${TALUS_WORKERS-none}:$TALUSMAN\"\n") + kWaits));
  auto server = ServerProcess::Start(options);
  ASSERT_TRUE(server);
  EXPECT_EQ(server->address(), "none:here");
  options.inherits_options = true;
  server = ServerProcess::Start(options);
  ASSERT_TRUE(server);
  EXPECT_EQ(server->address(), "3:here");
}

TEST(ServerProcess, MakesItsSocketInTheFolderForWhatIsTemporary) {
  const ServerProcessOptions options =
      With(Script("placed", std::string(kListens) + "\n" + kWaits));
  const auto parent = [&](const std::string& folder) {
    const Variable temporary("TMPDIR", folder);
    auto server = ServerProcess::Start(options);
    if (!server) return server.error().message;
    return std::filesystem::path(SocketFolder(*server)).parent_path().string();
  };
  std::string folder = "/tmp/placed-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  EXPECT_EQ(parent(folder), folder);
  const std::string longest = folder + '/' + std::string(81 - folder.size(), 'x');
  const std::string longer = longest + 'x';
  ASSERT_TRUE(std::filesystem::create_directory(longest));
  ASSERT_TRUE(std::filesystem::create_directory(longer));
  EXPECT_EQ(parent(longest), longest) << "the path of the socket has 107 bytes";
  EXPECT_EQ(parent(longer), "/tmp");
  EXPECT_EQ(parent(folder + "/nothing"), "/tmp");
  EXPECT_EQ(parent(""), "/tmp");
  std::filesystem::remove_all(folder);
}

TEST(ServerProcess, DiesWithItsOwner) {
  const std::string script = Script("orphan", std::string(kListens) + "\n" + kWaits);
  int channel[2];
  ASSERT_EQ(::pipe(channel), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto server = ServerProcess::Start(With(script));
    const pid_t pid = server ? server->pid() : -1;
    (void)!::write(channel[1], &pid, sizeof pid);
    ::pause();
  }
  pid_t server = -1;
  ASSERT_EQ(::read(channel[0], &server, sizeof server), static_cast<ssize_t>(sizeof server));
  ASSERT_GT(server, 0);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  // Nobody here may wait for a grandchild; it is gone, or a zombie of whoever adopted it.
  const std::string stat = "/proc/" + std::to_string(server) + "/stat";
  EXPECT_TRUE(talus::testing::WaitUntil([&stat] {
    std::ifstream file(stat);
    std::string line;
    return !std::getline(file, line) || line.find(") Z") != std::string::npos;
  }));
  ::close(channel[0]);
  ::close(channel[1]);
}

}  // namespace
}  // namespace talus::client
