#include "tests/fuzz/message_mutator.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kDeepest = 8;
constexpr int kMostElements = 64;

class Mutation {
 public:
  explicit Mutation(uint32_t seed) : random_(seed) {}

  int Choose(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  // Changes one field of the message, or goes into one that holds messages.
  void Change(Message& message, int depth) {
    const int count = message.GetDescriptor()->field_count();
    if (count == 0) return;
    const FieldDescriptor& field = *message.GetDescriptor()->field(Choose(count));
    if (field.is_repeated()) {
      ChangeRepeated(message, field, depth);
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      if (Choose(8) == 0) return message.GetReflection()->ClearField(&message, &field);
      if (depth < kDeepest)
        Change(*message.GetReflection()->MutableMessage(&message, &field), depth + 1);
    } else if (Choose(8) == 0) {
      message.GetReflection()->ClearField(&message, &field);
    } else {
      SetValue(message, field, -1);
    }
  }

 private:
  void ChangeRepeated(Message& message, const FieldDescriptor& field, int depth) {
    const Reflection& reflection = *message.GetReflection();
    const int size = reflection.FieldSize(message, &field);
    const bool messages = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const int what = Choose(8);
    if (size > 0 && what == 0) return reflection.RemoveLast(&message, &field);
    if (size > 1 && what == 1)
      return reflection.SwapElements(&message, &field, Choose(size), Choose(size));
    if (size == 0 || (what < 4 && size < kMostElements)) return Append(message, field, size);
    const int index = Choose(size);
    if (!messages) return SetValue(message, field, index);
    if (depth < kDeepest)
      Change(*reflection.MutableRepeatedMessage(&message, &field, index), depth + 1);
  }

  // A new element, or a copy of one that is there.
  void Append(Message& message, const FieldDescriptor& field, int size) {
    const Reflection& reflection = *message.GetReflection();
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return AddValue(message, field);
    if (size == 0) {
      reflection.AddMessage(&message, &field);
      return;
    }
    const Message& model = reflection.GetRepeatedMessage(message, &field, Choose(size));
    const std::unique_ptr<Message> copy(model.New());
    copy->CopyFrom(model);
    reflection.AddMessage(&message, &field)->CopyFrom(*copy);
  }

  double MakeReal() {
    constexpr double kEdges[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 2.0,
                                 1e-3,
                                 10.0,
                                 1e-12,
                                 1e6,
                                 -1e6,
                                 1e15,
                                 1e300,
                                 5e-324,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
    const int what = Choose(3);
    if (what == 0) return kEdges[Choose(static_cast<int>(std::size(kEdges)))];
    const double unit = std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
    return what == 1 ? unit : unit * std::pow(10.0, Choose(13) - 6);
  }

  int64_t MakeInteger() {
    constexpr int64_t kEdges[] = {0,
                                  1,
                                  2,
                                  3,
                                  -1,
                                  6,
                                  7,
                                  63,
                                  64,
                                  1000,
                                  65536,
                                  1'000'001,
                                  std::numeric_limits<int32_t>::max(),
                                  std::numeric_limits<int64_t>::max(),
                                  std::numeric_limits<int64_t>::min()};
    if (Choose(2) == 0) return kEdges[Choose(static_cast<int>(std::size(kEdges)))];
    return Choose(12);
  }

  std::string MakeText() {
    const char* const kTexts[] = {"",  "a",  "b",   "floor", "ball", "scenes/a",
                                  "/", "..", "a b", "\xff",  "stone"};
    if (Choose(12) == 0) return std::string(static_cast<size_t>(Choose(80)), 'x');
    return kTexts[Choose(static_cast<int>(std::size(kTexts)))];
  }

  int MakeEnum(const FieldDescriptor& field) {
    const auto& type = *field.enum_type();
    return Choose(10) == 0 ? 99 : type.value(Choose(type.value_count()))->number();
  }

  // `index` < 0: of a field that is not repeated.
  void SetValue(Message& message, const FieldDescriptor& field, int index) {
    const Reflection& to = *message.GetReflection();
    const bool one = index < 0;
    switch (field.cpp_type()) {
#define TALUS_SET(type, Name, value)                   \
  case FieldDescriptor::CPPTYPE_##type:                \
    return one ? to.Set##Name(&message, &field, value) \
               : to.SetRepeated##Name(&message, &field, index, value)
      TALUS_SET(DOUBLE, Double, MakeReal());
      TALUS_SET(FLOAT, Float, static_cast<float>(MakeReal()));
      TALUS_SET(INT32, Int32, static_cast<int32_t>(MakeInteger()));
      TALUS_SET(INT64, Int64, MakeInteger());
      TALUS_SET(UINT32, UInt32, static_cast<uint32_t>(MakeInteger()));
      TALUS_SET(UINT64, UInt64, static_cast<uint64_t>(MakeInteger()));
      TALUS_SET(BOOL, Bool, Choose(2) == 0);
      TALUS_SET(ENUM, EnumValue, MakeEnum(field));
      TALUS_SET(STRING, String, MakeText());
#undef TALUS_SET
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return;
    }
  }

  void AddValue(Message& message, const FieldDescriptor& field) {
    const Reflection& to = *message.GetReflection();
    switch (field.cpp_type()) {
#define TALUS_ADD(type, Name, value)    \
  case FieldDescriptor::CPPTYPE_##type: \
    return to.Add##Name(&message, &field, value)
      TALUS_ADD(DOUBLE, Double, MakeReal());
      TALUS_ADD(FLOAT, Float, static_cast<float>(MakeReal()));
      TALUS_ADD(INT32, Int32, static_cast<int32_t>(MakeInteger()));
      TALUS_ADD(INT64, Int64, MakeInteger());
      TALUS_ADD(UINT32, UInt32, static_cast<uint32_t>(MakeInteger()));
      TALUS_ADD(UINT64, UInt64, static_cast<uint64_t>(MakeInteger()));
      TALUS_ADD(BOOL, Bool, Choose(2) == 0);
      TALUS_ADD(ENUM, EnumValue, MakeEnum(field));
      TALUS_ADD(STRING, String, MakeText());
#undef TALUS_ADD
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return;
    }
  }

  std::minstd_rand random_;
};

}  // namespace

std::string MutateText(std::string_view text, const Message& prototype, uint32_t seed) {
  const std::unique_ptr<Message> message(prototype.New());
  if (!ReadText(text, *message)) message->Clear();
  Mutation mutation(seed);
  for (int left = 1 + mutation.Choose(4); left > 0; --left) mutation.Change(*message, 0);
  std::string out;
  google::protobuf::TextFormat::PrintToString(*message, &out);
  return out;
}

}  // namespace talus::fuzz
