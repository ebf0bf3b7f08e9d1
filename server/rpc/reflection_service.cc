#include "server/rpc/reflection_service.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <optional>
#include <set>

#include "server/rpc/gated_services.h"

namespace talus::rpc {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// Fields of ServerReflectionRequest and ServerReflectionResponse.
constexpr int kFileByFilename = 3;
constexpr int kFileContainingSymbol = 4;
constexpr int kListServices = 7;
constexpr int kOriginalRequest = 2;
constexpr int kFileDescriptorResponse = 4;
constexpr int kListServicesResponse = 6;
constexpr int kErrorResponse = 7;

struct Question {
  int field = 0;
  std::string text;
};

void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void AppendBytes(int field, std::string_view bytes, std::string& out) {
  AppendVarint(static_cast<uint64_t>(field) << 3 | 2, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

// The last question of the request, as a oneof has it; empty when the bytes are no request.
std::optional<Question> ReadQuestion(std::string_view bytes) {
  CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                         static_cast<int>(bytes.size()));
  Question question;
  while (const uint32_t tag = input.ReadTag()) {
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    const bool is_text =
        WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    if (is_text && field >= kFileByFilename && field <= kListServices) {
      uint32_t size = 0;
      question.field = field;
      if (!input.ReadVarint32(&size) || size > bytes.size() ||
          !input.ReadString(&question.text, static_cast<int>(size))) {
        return std::nullopt;
      }
    } else if (!WireFormatLite::SkipField(&input, tag)) {
      return std::nullopt;
    }
  }
  if (!input.ConsumedEntireMessage() || question.field == 0) return std::nullopt;
  return question;
}

// The file and all it imports, itself first, each once.
void AppendFiles(const FileDescriptor& file, std::set<const FileDescriptor*>& told,
                 std::string& out) {
  if (!told.insert(&file).second) return;
  FileDescriptorProto proto;
  file.CopyTo(&proto);
  AppendBytes(1, proto.SerializeAsString(), out);
  for (int i = 0; i < file.dependency_count(); ++i) AppendFiles(*file.dependency(i), told, out);
}

void AppendError(grpc::StatusCode code, const std::string& message, std::string& out) {
  std::string error;
  AppendVarint(1 << 3, error);
  AppendVarint(static_cast<uint64_t>(code), error);
  AppendBytes(2, message, error);
  AppendBytes(kErrorResponse, error, out);
}

void AppendServices(const std::vector<std::string>& services, std::string& out) {
  std::string list;
  for (const std::string& name : services) {
    std::string service;
    AppendBytes(1, name, service);
    AppendBytes(1, service, list);
  }
  AppendBytes(kListServicesResponse, list, out);
}

class ReflectionCall final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  ReflectionCall(grpc::CallbackServerContext& context, const std::vector<std::string>& services)
      : context_(context), services_(services) {
    StartRead(&request_);
  }

 private:
  // One operation is under way at any time, so that none of these meets another.
  void OnReadDone(bool ok) override {
    if (!ok) return End();
    grpc::Slice slice;
    if (!request_.DumpToSingleSlice(&slice).ok()) return End();
    const std::string answer =
        AnswerReflection({reinterpret_cast<const char*>(slice.begin()), slice.size()}, services_);
    const grpc::Slice bytes(answer);
    response_ = grpc::ByteBuffer(&bytes, 1);
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override {
    if (!ok) return End();
    StartRead(&request_);
  }
  void OnDone() override { delete this; }
  void End() {
    Finish(EncodeStatus(absl::OkStatus(), "ServerReflection/ServerReflectionInfo", context_));
  }

  grpc::CallbackServerContext& context_;
  const std::vector<std::string>& services_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

}  // namespace

std::string AnswerReflection(std::string_view request, const std::vector<std::string>& services) {
  std::string answer;
  AppendBytes(kOriginalRequest, request, answer);
  const std::optional<Question> question = ReadQuestion(request);
  if (!question) {
    AppendError(grpc::StatusCode::INVALID_ARGUMENT, "no ServerReflectionRequest", answer);
    return answer;
  }
  const FileDescriptor* file = nullptr;
  switch (question->field) {
    case kListServices:
      AppendServices(services, answer);
      return answer;
    case kFileByFilename:
      file = DescriptorPool::generated_pool()->FindFileByName(question->text);
      break;
    case kFileContainingSymbol:
      file = DescriptorPool::generated_pool()->FindFileContainingSymbol(question->text);
      break;
    default:  // proto3 has no extensions
      break;
  }
  if (file == nullptr) {
    AppendError(grpc::StatusCode::NOT_FOUND, question->text + " is not known", answer);
    return answer;
  }
  std::set<const FileDescriptor*> told;
  std::string files;
  AppendFiles(*file, told, files);
  AppendBytes(kFileDescriptorResponse, files, answer);
  return answer;
}

ReflectionService::ReflectionService(const std::string& package,
                                     const std::vector<std::string>& services, const CallGate& gate)
    : services_(services), gate_(gate) {
  // gRPC keeps the pointer.
  static std::set<std::string>& names = *new std::set<std::string>;
  const std::string& name =
      *names.insert('/' + package + ".ServerReflection/ServerReflectionInfo").first;
  AddMethod(new grpc::internal::RpcServiceMethod(
      name.c_str(), grpc::internal::RpcMethod::BIDI_STREAMING, nullptr));
  MarkMethodRawCallback(
      0, new grpc::internal::CallbackBidiHandler<grpc::ByteBuffer, grpc::ByteBuffer>(
             [this](grpc::CallbackServerContext* context) { return Serve(*context); }));
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* ReflectionService::Serve(
    grpc::CallbackServerContext& context) const {
  using Reactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;
  static const RpcAccess& rpc = *FindRpc("ServerReflection/ServerReflectionInfo");
  Reactor* refused = RefuseUnlessAdmitted<Reactor>(gate_, rpc, context);
  return refused != nullptr ? refused : new ReflectionCall(context, services_);
}

}  // namespace talus::rpc
