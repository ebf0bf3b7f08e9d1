#include "server/rpc/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "absl/synchronization/mutex.h"
#include "server/rpc/limit_counts.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

constexpr int kPatienceMs = 60'000;

// Listeners at unix sockets, and what they handed over.
class ListenerTest : public ::testing::Test {
 protected:
  // UBSan opens a pipe where it meets a type for the first time, and takes the object for damaged
  // where it gets none: so it meets those of the log while there are descriptors.
  ListenerTest() { telemetry::Log(telemetry::LogLevel::kWarning, "a test of a listener begins"); }
  ~ListenerTest() override {
    listener_.reset();
    for (const int connection : taken_) ::close(connection);
    for (const int client : clients_) ::close(client);
  }

  void Start(int64_t most) {
    auto sockets = ListeningSocket::Open(*ParseListenAddress("unix:" + path_));
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    std::vector<Listener::Place> places;
    places.push_back({std::move(sockets->front()), [this](int connection) {
                        const absl::MutexLock lock(&mutex_);
                        taken_.push_back(connection);
                      }});
    auto listener = Listener::Start(std::move(places), most);
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
  }

  int Connect() {
    const int client = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path_.copy(name.sun_path, sizeof name.sun_path - 1);
    if (::connect(client, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
      ::close(client);
      return -1;
    }
    clients_.push_back(client);
    return client;
  }

  // True once so many were handed over.
  bool WaitForTaken(size_t count) {
    const absl::MutexLock lock(&mutex_);
    const auto enough = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return taken_.size() >= count;
    };
    return mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::Milliseconds(kPatienceMs));
  }

  // What was handed over last is closed, as by who had it.
  void CloseLast() {
    const absl::MutexLock lock(&mutex_);
    ::close(taken_.back());
    taken_.pop_back();
  }

  // True once the other side has closed.
  static bool IsClosed(int client) {
    pollfd polled{client, POLLIN, 0};
    char byte = 0;
    return ::poll(&polled, 1, kPatienceMs) == 1 && ::recv(client, &byte, 1, 0) == 0;
  }

  const std::string path_ = ::testing::TempDir() + "listener_" + std::to_string(getpid());
  absl::Mutex mutex_;
  std::vector<int> taken_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> clients_;
  std::unique_ptr<Listener> listener_;
};

TEST_F(ListenerTest, OneMoreThanTheMostIsClosedUntilOneHasEnded) {
  Start(2);
  Connect();
  Connect();
  ASSERT_TRUE(WaitForTaken(2));
  const int64_t refused = RefusalsBy("connections");
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_EQ(RefusalsBy("connections"), refused + 2);
  CloseLast();
  Connect();
  EXPECT_TRUE(WaitForTaken(2));
}

// Sets how many descriptors this process may have, until it is gone.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t most) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    rlimit limit = before_;
    limit.rlim_cur = most;
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(ListenerTest, WhoComesWhileNoDescriptorIsLeftIsTakenLater) {
  Start(100);
  const int client = Connect();
  ASSERT_TRUE(WaitForTaken(1));
  {
    // The client has the next, and the listener none. It is told at once, and goes on.
    const int next = ::dup(client);
    ::close(next);
    const int waiting = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(waiting, next);
    const DescriptorLimit none(static_cast<rlim_t>(next) + 1);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path_.copy(name.sun_path, sizeof name.sun_path - 1);
    ASSERT_EQ(::connect(waiting, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    clients_.push_back(waiting);
    ::usleep(300'000);
    const absl::MutexLock lock(&mutex_);
    EXPECT_EQ(taken_.size(), 1u);
  }
  EXPECT_TRUE(WaitForTaken(2));
}

TEST_F(ListenerTest, TheLastDescriptorsAreKeptForFiles) {
  Start(1000);
  const int first = Connect();
  ASSERT_TRUE(WaitForTaken(1));
  const int64_t refused = RefusalsBy("connections");
  // Of these an eighth is kept.
  const DescriptorLimit few(static_cast<rlim_t>(first) + 20);
  bool closed = false;
  for (int i = 0; i < 20 && !closed; ++i) {
    const int client = Connect();
    ASSERT_GE(client, 0);
    pollfd polled{client, POLLIN, 0};
    closed = ::poll(&polled, 1, 200) == 1;
  }
  EXPECT_TRUE(closed);
  EXPECT_GT(RefusalsBy("connections"), refused);
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_GE(file, 0);
  ::close(file);
}

TEST_F(ListenerTest, NobodyIsTakenAfterAStop) {
  Start(10);
  Connect();
  ASSERT_TRUE(WaitForTaken(1));
  listener_->Stop();
  EXPECT_EQ(Connect(), -1);
  EXPECT_FALSE(std::filesystem::exists(path_));
  const absl::MutexLock lock(&mutex_);
  EXPECT_EQ(::write(taken_.front(), "x", 1), 1);  // who is there stays
  listener_->Stop();
}

}  // namespace
}  // namespace talus::rpc
