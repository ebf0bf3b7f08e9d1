#include "server/rpc/listener.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "server/rpc/limit_counts.h"
#include "server/session/error.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kWarningInterval{60};
// Until an error of the system may have passed.
constexpr int kRestMs = 100;
// Of the process's descriptors, for its files; an eighth where it has fewer than 1024.
constexpr int64_t kKeptForFiles = 128;

int64_t FindMostForConnections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<int64_t>::max();
  const auto most =
      static_cast<int64_t>(std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int32_t>::max()));
  return most - std::clamp(most / 8, int64_t{1}, kKeptForFiles);
}

// 0 where the descriptor is closed.
uint64_t FindInode(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 ? info.st_ino : 0;
}

// No connection is there any more.
bool IsOver(int error) {
  return error == EAGAIN || error == EINTR || error == ECONNABORTED || error == EPROTO;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> Listener::Start(std::vector<Place> places, int64_t most) {
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    return MakeError(absl::StatusCode::kResourceExhausted,
                     std::string("cannot take connections: ") + std::strerror(errno), {});
  }
  return std::unique_ptr<Listener>(new Listener(std::move(places), most, wake));
}

Listener::Listener(std::vector<Place> places, int64_t most, int wake)
    : places_(std::move(places)), most_(most), wake_(wake), thread_([this] { Run(); }) {}

Listener::~Listener() {
  Stop();
  ::close(wake_);
}

void Listener::Stop() {
  if (!thread_.joinable()) return;
  ::eventfd_write(wake_, 1);
  thread_.join();
  places_.clear();
}

void Listener::Run() {
  std::vector<pollfd> polled;
  for (const Place& place : places_) polled.push_back({place.socket.descriptor(), POLLIN, 0});
  polled.push_back({wake_, POLLIN, 0});
  for (;;) {
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      Rest();
      continue;
    }
    if (polled.back().revents != 0) return;
    for (size_t i = 0; i < places_.size(); ++i) {
      if (polled[i].revents != 0) TakeNext(places_[i]);
    }
  }
}

void Listener::TakeNext(const Place& place) {
  const int connection = place.socket.Accept();
  if (connection < 0) {
    if (IsOver(errno)) return;
    // It waits in the kernel's queue, and poll() would tell so at once.
    Warn(std::strerror(errno));
    Rest();
    return;
  }
  if (!HasRoomFor(connection)) {
    ::close(connection);
    return;
  }
  handed_over_[connection] = FindInode(connection);
  place.take(connection);
}

bool Listener::HasRoomFor(int connection) {
  // Whoever has a connection closes it without telling.
  if (static_cast<int64_t>(handed_over_.size()) >= most_) ForgetClosed();
  const bool too_many = static_cast<int64_t>(handed_over_.size()) >= most_;
  // The kernel gives the lowest number that is free.
  const bool too_high = connection >= FindMostForConnections();
  if (!too_many && !too_high) return true;
  CountRefusal("connections");
  ++refused_;
  Warn(too_many ? "as many as --max-connections" : "few descriptors are left for files");
  return false;
}

void Listener::ForgetClosed() {
  std::erase_if(handed_over_,
                [](const auto& entry) { return FindInode(entry.first) != entry.second; });
}

void Listener::Warn(const char* why) {
  const steady_clock::time_point now = steady_clock::now();
  if (now < next_warning_) return;
  next_warning_ = now + kWarningInterval;
  telemetry::Log(telemetry::LogLevel::kWarning, "connections are not taken",
                 {{"why", why},
                  {"most", std::to_string(most_)},
                  {"refused", std::to_string(std::exchange(refused_, 0))}});
}

void Listener::Rest() const {
  pollfd wake{wake_, POLLIN, 0};
  ::poll(&wake, 1, kRestMs);
}

}  // namespace talus::rpc
