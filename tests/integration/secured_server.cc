#include "tests/integration/secured_server.h"

#include <grpcpp/generic/generic_stub.h>
#include <openssl/sha.h>

#include <array>
#include <cstdio>

namespace talus::testing {
namespace {

std::string HexDigest(const std::string& token) {
  std::array<unsigned char, 32> digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  std::string hex;
  for (const unsigned char byte : digest) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    hex += digits;
  }
  return hex;
}

}  // namespace

TokenTable MakeTokens() {
  const auto table =
      TokenTable::Parse("viewer read " + HexDigest(kReadToken) + "\npilot control " +
                            HexDigest(kControlToken) + "\nkeeper admin " + HexDigest(kAdminToken),
                        "test");
  EXPECT_TRUE(table.ok()) << table.status();
  return *table;
}

SecuredServer::SecuredServer(rpc::AccessOptions access, const Limits& limits) {
  SceneHostOptions options;
  options.limits = limits;
  auto host = SceneHost::Open(options);
  EXPECT_TRUE(host.ok()) << host.status();
  host_ = *std::move(host);
  auto server = rpc::GrpcServer::Start(*host_, {*rpc::ParseListenAddress("127.0.0.1:0")},
                                       "0.0.0-test", std::move(access));
  EXPECT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
}

std::shared_ptr<grpc::Channel> SecuredServer::Open(
    std::shared_ptr<grpc::ChannelCredentials> credentials) const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (credentials == nullptr) credentials = grpc::InsecureChannelCredentials();
  auto channel = grpc::CreateCustomChannel(address(), credentials, arguments);
  // gRPC 1.51 reads errno late: a connect in progress may count as failed once, and its calls with
  // it. A handshake that must fail is not waited for longer.
  channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(1));
  return channel;
}

CallEnd CallAny(const std::shared_ptr<grpc::Channel>& channel, const std::string& path,
                const std::string& token, const std::string& request,
                std::chrono::milliseconds patience) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  grpc::CompletionQueue queue;
  const auto next = [&] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  auto call = stub.PrepareCall(&context, path, &queue);
  call->StartCall(nullptr);
  next();
  const grpc::Slice bytes(request);
  call->WriteLast(grpc::ByteBuffer(&bytes, 1), grpc::WriteOptions(), nullptr);
  next();
  CallEnd end;
  for (;;) {
    grpc::ByteBuffer answer;
    call->Read(&answer, nullptr);
    if (!next()) break;
    grpc::Slice slice;
    if (answer.DumpToSingleSlice(&slice).ok()) {
      end.messages.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
  }
  call->Finish(&end.status, nullptr);
  next();
  const auto& trailer = context.GetServerTrailingMetadata();
  if (const auto found = trailer.find("talus-error-bin"); found != trailer.end()) {
    EXPECT_TRUE(
        end.detail.ParseFromArray(found->second.data(), static_cast<int>(found->second.size())));
  }
  queue.Shutdown();
  while (next()) {
  }
  return end;
}

}  // namespace talus::testing
