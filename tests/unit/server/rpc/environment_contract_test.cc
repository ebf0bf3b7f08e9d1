// The schema of dm_env_rpc is written here anew: its names, numbers and types must stay those that
// clients made for dm_env_rpc send.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "dm_env_rpc/v1/dm_env_rpc.pb.h"

namespace talus::rpc {
namespace {

namespace env = ::dm_env_rpc::v1;

// `name:number:type` of each field, by number.
std::string Describe(const google::protobuf::Descriptor* message) {
  std::map<int, std::string> fields;
  for (int i = 0; i < message->field_count(); ++i) {
    const auto* field = message->field(i);
    fields[field->number()] =
        field->name() + ':' + std::to_string(field->number()) + ':' +
        (field->message_type() != nullptr ? field->message_type()->name() : field->type_name());
  }
  std::string text;
  for (const auto& [number, field] : fields) text += (text.empty() ? "" : " ") + field;
  return text;
}

TEST(EnvironmentSchema, ConformsToThePublishedContract) {
  EXPECT_EQ(env::EnvironmentRequest::descriptor()->full_name(), "dm_env_rpc.v1.EnvironmentRequest");
  EXPECT_EQ(Describe(env::EnvironmentRequest::descriptor()),
            "create_world:1:CreateWorldRequest join_world:2:JoinWorldRequest step:3:StepRequest "
            "reset:4:ResetRequest reset_world:5:ResetWorldRequest leave_world:6:LeaveWorldRequest "
            "destroy_world:7:DestroyWorldRequest read_property:8:ReadPropertyRequest "
            "write_property:9:WritePropertyRequest list_property:10:ListPropertyRequest "
            "extension:15:Any");
  EXPECT_EQ(Describe(env::EnvironmentResponse::descriptor()),
            "create_world:1:CreateWorldResponse join_world:2:JoinWorldResponse step:3:StepResponse "
            "reset:4:ResetResponse reset_world:5:ResetWorldResponse "
            "leave_world:6:LeaveWorldResponse destroy_world:7:DestroyWorldResponse "
            "read_property:8:ReadPropertyResponse write_property:9:WritePropertyResponse "
            "list_property:10:ListPropertyResponse extension:15:Any error:16:Status");
  EXPECT_EQ(Describe(env::Tensor::descriptor()),
            "floats:1:FloatArray doubles:2:DoubleArray int8s:3:Int8Array int32s:4:Int32Array "
            "int64s:5:Int64Array uint8s:6:Uint8Array uint32s:7:Uint32Array uint64s:8:Uint64Array "
            "bools:9:BoolArray strings:10:StringArray protos:11:ProtoArray shape:15:int32");
  EXPECT_EQ(Describe(env::TensorSpec::descriptor()),
            "name:1:string shape:2:int32 dtype:3:enum min:4:Value max:5:Value");
  EXPECT_EQ(
      Describe(env::TensorSpec::Value::descriptor()),
      "float:1:float double:2:double int32:3:int32 int64:4:int64 uint32:5:uint32 "
      "uint64:6:uint64 int8:7:int32 uint8:8:uint32 floats:9:FloatArray doubles:10:DoubleArray "
      "int8s:11:Int8Array int32s:12:Int32Array int64s:13:Int64Array uint8s:14:Uint8Array "
      "uint32s:15:Uint32Array uint64s:16:Uint64Array");
  EXPECT_EQ(Describe(google::rpc::Status::descriptor()),
            "code:1:int32 message:2:string details:3:Any");
  EXPECT_EQ(env::RUNNING, 1);
  EXPECT_EQ(env::TERMINATED, 2);
  EXPECT_EQ(env::INTERRUPTED, 3);
}

// FitsSpec and the codec go by it.
TEST(EnvironmentSchema, TypesHaveTheNumbersOfTheirPayloads) {
  const auto* payload = env::Tensor::descriptor()->FindOneofByName("payload");
  ASSERT_NE(payload, nullptr);
  EXPECT_EQ(payload->field_count(), env::DataType_MAX);
  EXPECT_EQ(static_cast<int>(env::Tensor::kDoubles), static_cast<int>(env::DOUBLE));
  EXPECT_EQ(static_cast<int>(env::Tensor::kStrings), static_cast<int>(env::STRING));
  EXPECT_EQ(static_cast<int>(env::Tensor::kUint64S), static_cast<int>(env::UINT64));
}

}  // namespace
}  // namespace talus::rpc
