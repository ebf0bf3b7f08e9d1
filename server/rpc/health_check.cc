#include "server/rpc/health_check.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <future>

namespace talus::rpc {
namespace {

constexpr char kMethod[] = "/grpc.health.v1.Health/Check";

// grpc.health.v1.HealthCheckResponse.ServingStatus
constexpr uint32_t kServing = 1;

// The field `status = 1` of a HealthCheckResponse; 0 (UNKNOWN) when it is not there. The message
// has this one field, so it is read by hand rather than by a generated class of its own.
uint32_t DecodeServingStatus(const std::string& bytes) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  uint32_t status = 0;
  constexpr uint32_t kStatusTag = 1 << 3;  // field 1, varint
  if (input.ReadTag() != kStatusTag || !input.ReadVarint32(&status)) return 0;
  return status;
}

std::string CopyBytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

}  // namespace

absl::Status CheckHealth(const std::string& address, std::chrono::milliseconds patience) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY,
                   0);  // the question is about that server, not a proxy
  grpc::GenericStub stub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  const grpc::Slice no_bytes;  // an empty HealthCheckRequest: the server as a whole
  const grpc::ByteBuffer request(&no_bytes, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> finished;
  stub.UnaryCall(&context, kMethod, grpc::StubOptions(), &request, &response,
                 [&](grpc::Status status) { finished.set_value(std::move(status)); });
  const grpc::Status status = finished.get_future().get();
  if (!status.ok()) {
    return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  }
  if (DecodeServingStatus(CopyBytes(response)) != kServing) {
    return absl::UnavailableError("the server does not serve");
  }
  return absl::OkStatus();
}

}  // namespace talus::rpc
