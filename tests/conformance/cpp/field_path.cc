#include "tests/conformance/cpp/field_path.h"

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <sstream>

#include "tests/conformance/cpp/fatal.h"

namespace talus::conformance {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct PathStep {
  std::string field;  // empty: only an index, into the list of messages
  std::optional<int> index;
  bool all = false;  // [*]
};

std::vector<PathStep> ParsePath(const std::string& path) {
  std::vector<PathStep> steps;
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, '.');) {
    PathStep step;
    const size_t bracket = word.find('[');
    step.field = word.substr(0, bracket);
    if (bracket != std::string::npos) {
      const std::string inside = word.substr(bracket + 1, word.size() - bracket - 2);
      step.all = inside == "*";
      if (!step.all) step.index = std::stoi(inside);
    }
    steps.push_back(step);
  }
  return steps;
}

// Where a path ends: a field of a message, or one element of it.
struct Place {
  const Message* message = nullptr;
  const FieldDescriptor* field = nullptr;
  std::optional<int> index;
};

const FieldDescriptor* FindField(const Message& message, const std::string& name) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr) Fatal(message.GetTypeName() + " has no field '" + name + "'");
  return field;
}

bool IsThere(const Message& message, const FieldDescriptor* field,
             const std::optional<int>& index) {
  const Reflection* reflection = message.GetReflection();
  if (index) return *index < reflection->FieldSize(message, field);
  return !field->has_presence() || reflection->HasField(message, field);
}

// Nothing when it is absent.
std::optional<Place> FindPlace(const Message& start, const std::vector<PathStep>& steps,
                               size_t first) {
  const Message* message = &start;
  for (size_t i = first; i < steps.size(); ++i) {
    const PathStep& step = steps[i];
    const FieldDescriptor* field = FindField(*message, step.field);
    if (!IsThere(*message, field, step.index)) return std::nullopt;
    if (i + 1 == steps.size()) return Place{message, field, step.index};
    const Reflection* reflection = message->GetReflection();
    message = step.index ? &reflection->GetRepeatedMessage(*message, field, *step.index)
                         : &reflection->GetMessage(*message, field);
  }
  Fatal("a path ends at no field");
}

std::optional<Place> FindPlace(const Root& root, const std::string& path) {
  const std::vector<PathStep> steps = ParsePath(path);
  if (steps.empty()) Fatal("an empty path has only a size");
  if (!root.is_list) return FindPlace(*root.messages.at(0), steps, 0);
  if (!steps[0].field.empty() || !steps[0].index) Fatal("a stream's path starts with [i]: " + path);
  if (*steps[0].index >= static_cast<int>(root.messages.size())) return std::nullopt;
  return FindPlace(*root.messages[*steps[0].index], steps, 1);
}

std::string EnumeratorName(const Place& place) {
  const Reflection* reflection = place.message->GetReflection();
  const int number =
      place.index ? reflection->GetRepeatedEnumValue(*place.message, place.field, *place.index)
                  : reflection->GetEnumValue(*place.message, place.field);
  const auto* known = place.field->enum_type()->FindValueByNumber(number);
  return known != nullptr ? known->name() : std::to_string(number);
}

// The value at a place; its kind follows from the field's type.
Value ReadPlace(const Place& place) {
  const Reflection* r = place.message->GetReflection();
  const Message& m = *place.message;
  const FieldDescriptor* f = place.field;
  const std::optional<int>& i = place.index;
  Value value;
  switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      value.kind = v1::VALUE_KIND_NUMBER;
      value.number = i ? r->GetRepeatedDouble(m, f, *i) : r->GetDouble(m, f);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      value.kind = v1::VALUE_KIND_NUMBER;
      value.number = i ? r->GetRepeatedFloat(m, f, *i) : r->GetFloat(m, f);
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      value.kind = v1::VALUE_KIND_INTEGER;
      value.text = std::to_string(i ? r->GetRepeatedInt32(m, f, *i) : r->GetInt32(m, f));
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      value.kind = v1::VALUE_KIND_INTEGER;
      value.text = std::to_string(i ? r->GetRepeatedUInt32(m, f, *i) : r->GetUInt32(m, f));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      value.kind = v1::VALUE_KIND_INTEGER;
      value.text = std::to_string(i ? r->GetRepeatedInt64(m, f, *i) : r->GetInt64(m, f));
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      value.kind = v1::VALUE_KIND_INTEGER;
      value.text = std::to_string(i ? r->GetRepeatedUInt64(m, f, *i) : r->GetUInt64(m, f));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      value.kind = v1::VALUE_KIND_BOOLEAN;
      value.text = (i ? r->GetRepeatedBool(m, f, *i) : r->GetBool(m, f)) ? "true" : "false";
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      value.kind =
          f->type() == FieldDescriptor::TYPE_BYTES ? v1::VALUE_KIND_BYTES : v1::VALUE_KIND_TEXT;
      value.text = i ? r->GetRepeatedString(m, f, *i) : r->GetString(m, f);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      value.kind = v1::VALUE_KIND_ENUMERATOR;
      value.text = EnumeratorName(place);
      break;
    default:
      Fatal(f->full_name() + " has no value of its own");
  }
  return value;
}

// `[*].chunk`: the concatenation over all messages of a stream.
Value ReadConcatenation(const Root& root, const std::vector<PathStep>& steps) {
  Value whole;
  whole.kind = v1::VALUE_KIND_BYTES;
  for (const auto& message : root.messages) {
    const std::optional<Place> place = FindPlace(*message, steps, 1);
    if (place) whole.text += ReadPlace(*place).text;
  }
  return whole;
}

std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char raw : text) {
    const auto byte = static_cast<unsigned char>(raw);
    if (byte >= 0x20 && byte <= 0x7e && raw != '"' && raw != '\\') {
      quoted += raw;
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", byte);
    quoted += code;
  }
  return quoted + '"';
}

template <typename Number>
Number ParseInteger(const std::string& text) {
  if constexpr (std::is_signed_v<Number>) return static_cast<Number>(std::stoll(text));
  return static_cast<Number>(std::stoull(text));
}

}  // namespace

bool Equal(const Value& a, const Value& b) {
  return a.absent == b.absent && a.kind == b.kind && a.text == b.text &&
         std::bit_cast<uint64_t>(a.number) == std::bit_cast<uint64_t>(b.number);
}

Value ReadValue(const Root& root, const std::string& path, ValueKind kind) {
  const std::vector<PathStep> steps = ParsePath(path);
  if (!steps.empty() && steps[0].all) return ReadConcatenation(root, steps);
  const std::optional<Place> place = FindPlace(root, path);
  Value value;
  value.kind = kind;
  value.absent = true;
  if (!place) return value;
  if (place->field->is_repeated() && !place->index) Fatal(path + " needs an index");
  value = ReadPlace(*place);
  if (value.kind != kind) Fatal(path + " is no " + v1::ValueKind_Name(kind));
  return value;
}

int64_t ReadSize(const Root& root, const std::string& path) {
  if (path.empty()) return static_cast<int64_t>(root.messages.size());
  const std::optional<Place> place = FindPlace(root, path);
  if (!place) return -1;
  if (place->field->is_repeated() && !place->index) {
    return place->message->GetReflection()->FieldSize(*place->message, place->field);
  }
  return static_cast<int64_t>(ReadPlace(*place).text.size());
}

bool IsAbsent(const Root& root, const std::string& path) { return !FindPlace(root, path); }

void WriteValue(Message* start, const std::string& path, const Value& value) {
  const std::vector<PathStep> steps = ParsePath(path);
  Message* message = start;
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    const FieldDescriptor* field = FindField(*message, steps[i].field);
    const Reflection* reflection = message->GetReflection();
    if (!steps[i].index) {
      message = reflection->MutableMessage(message, field);
    } else if (*steps[i].index == reflection->FieldSize(*message, field)) {
      message = reflection->AddMessage(message, field);
    } else {
      message = reflection->MutableRepeatedMessage(message, field, *steps[i].index);
    }
  }
  Message* m = message;
  const FieldDescriptor* f = FindField(*m, steps.back().field);
  const Reflection* r = m->GetReflection();
  const std::optional<int>& i = steps.back().index;
  const bool append = i && *i == r->FieldSize(*m, f);
  const auto put = [&](auto add, auto set_repeated, auto set, auto number) {
    if (append) return (r->*add)(m, f, number);
    if (i) return (r->*set_repeated)(m, f, *i, number);
    (r->*set)(m, f, number);
  };
  switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return put(&Reflection::AddDouble, &Reflection::SetRepeatedDouble, &Reflection::SetDouble,
                 value.number);
    case FieldDescriptor::CPPTYPE_INT32:
      return put(&Reflection::AddInt32, &Reflection::SetRepeatedInt32, &Reflection::SetInt32,
                 ParseInteger<int32_t>(value.text));
    case FieldDescriptor::CPPTYPE_INT64:
      return put(&Reflection::AddInt64, &Reflection::SetRepeatedInt64, &Reflection::SetInt64,
                 ParseInteger<int64_t>(value.text));
    case FieldDescriptor::CPPTYPE_UINT64:
      return put(&Reflection::AddUInt64, &Reflection::SetRepeatedUInt64, &Reflection::SetUInt64,
                 ParseInteger<uint64_t>(value.text));
    case FieldDescriptor::CPPTYPE_STRING:
      return put(&Reflection::AddString, &Reflection::SetRepeatedString, &Reflection::SetString,
                 value.text);
    default:
      Fatal("no value can be put into " + f->full_name());
  }
}

std::string PrintValue(const Value& value) {
  if (value.absent) return "absent";
  if (value.kind == v1::VALUE_KIND_NUMBER) {
    char bits[24];
    std::snprintf(bits, sizeof bits, "%016" PRIx64, std::bit_cast<uint64_t>(value.number));
    return bits;
  }
  if (value.kind == v1::VALUE_KIND_TEXT) return Quote(value.text);
  if (value.kind == v1::VALUE_KIND_BYTES) return "bytes(" + std::to_string(value.text.size()) + ")";
  return value.text;
}

}  // namespace talus::conformance
