#include "server/rpc/health_check.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <grpcpp/support/channel_arguments.h>

#include <future>
#include <memory>
#include <vector>

namespace talus::rpc {
namespace {

constexpr char kHealthMethod[] = "/grpc.health.v1.Health/Check";

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

// TLS with whoever answers. SslCredentials cannot leave the certificate unlooked at.
std::shared_ptr<grpc::ChannelCredentials> BelieveAnybody(const HealthTls& tls) {
  namespace experimental = grpc::experimental;
  experimental::TlsChannelCredentialsOptions options;
  options.set_verify_server_certs(false);
  options.set_check_call_host(false);
  options.set_certificate_verifier(std::make_shared<experimental::NoOpCertificateVerifier>());
  if (!tls.certificate_pem.empty()) {
    const std::vector<experimental::IdentityKeyCertPair> own = {{tls.key_pem, tls.certificate_pem}};
    options.set_certificate_provider(
        std::make_shared<experimental::StaticDataCertificateProvider>(own));
    options.watch_identity_key_cert_pairs();
  }
  return experimental::TlsCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> MakeChannelCredentials(
    const std::optional<HealthTls>& tls) {
  if (!tls.has_value()) return grpc::InsecureChannelCredentials();
  if (!tls->check_server) return BelieveAnybody(*tls);
  return grpc::SslCredentials({tls->ca_pem, tls->key_pem, tls->certificate_pem});
}

}  // namespace

absl::Status CheckHealth(const std::string& address, std::chrono::milliseconds patience,
                         const std::optional<HealthTls>& tls) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY,
                   0);  // the question is about that server, not a proxy
  grpc::GenericStub stub(
      grpc::CreateCustomChannel(address, MakeChannelCredentials(tls), arguments));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  const grpc::Slice no_bytes;  // an empty HealthCheckRequest: the server as a whole
  const grpc::ByteBuffer request(&no_bytes, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> finished;
  stub.UnaryCall(&context, kHealthMethod, grpc::StubOptions(), &request, &response,
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
