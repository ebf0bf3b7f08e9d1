#include "tests/system/chaos/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grpcpp/create_channel_posix.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace talus::chaos {

int OpenSocket(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in where{};
  where.sin_family = AF_INET;
  if (colon == std::string::npos ||
      ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &where.sin_addr) != 1) {
    return -1;
  }
  where.sin_port = htons(static_cast<uint16_t>(std::atoi(address.c_str() + colon + 1)));
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  if (::connect(made, reinterpret_cast<const sockaddr*>(&where), sizeof(where)) != 0) {
    ::close(made);
    return -1;
  }
  const int one = 1;
  ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return made;
}

Connection::Connection(const std::string& address) : socket_(OpenSocket(address)) {
  if (socket_ < 0) return;
  const int channels = ::fcntl(socket_, F_DUPFD_CLOEXEC, 0);
  ::fcntl(channels, F_SETFL, ::fcntl(channels, F_GETFL) | O_NONBLOCK);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(64 << 20);
  arguments.SetMaxSendMessageSize(64 << 20);
  // A call that gRPC repeats by itself would be one that the plan does not know.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  stubs_ = std::make_unique<ServiceStubs>(
      grpc::CreateCustomInsecureChannelFromFd("chaos", channels, arguments));
}

Connection::~Connection() {
  stubs_.reset();
  if (socket_ >= 0) ::close(socket_);
}

void Connection::Kill() {
  cut_ = true;
  ::shutdown(socket_, SHUT_RDWR);
}

void Connection::HalfClose() {
  cut_ = true;
  ::shutdown(socket_, SHUT_WR);
}

}  // namespace talus::chaos
