#include "server/wire/tensor_codec.h"

#include <cmath>
#include <optional>
#include <utility>

#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

std::string FormatShape(std::span<const int32_t> shape) {
  std::string text = "[";
  for (const int32_t length : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(length);
  }
  return text + ']';
}

std::span<const int32_t> ShapeOf(const env::Tensor& tensor) {
  return {tensor.shape().data(), static_cast<size_t>(tensor.shape_size())};
}

// A dimension that is to be found fits any length.
bool Fits(std::span<const int32_t> met, std::span<const int32_t> shape) {
  if (met.size() != shape.size()) return false;
  int open = 0;
  for (size_t i = 0; i < met.size(); ++i) {
    if (met[i] < 0) {
      ++open;
    } else if (met[i] != shape[i]) {
      return false;
    }
  }
  return open <= 1;
}

const char* PayloadName(env::Tensor::PayloadCase payload) {
  switch (payload) {
    case env::Tensor::kFloats:
      return "FLOAT";
    case env::Tensor::kDoubles:
      return "DOUBLE";
    case env::Tensor::kInt8S:
      return "INT8";
    case env::Tensor::kInt32S:
      return "INT32";
    case env::Tensor::kInt64S:
      return "INT64";
    case env::Tensor::kUint8S:
      return "UINT8";
    case env::Tensor::kUint32S:
      return "UINT32";
    case env::Tensor::kUint64S:
      return "UINT64";
    case env::Tensor::kBools:
      return "BOOL";
    case env::Tensor::kStrings:
      return "STRING";
    case env::Tensor::kProtos:
      return "PROTO";
    case env::Tensor::PAYLOAD_NOT_SET:
      return "nothing";
  }
  return "unknown";
}

// The element of a list that has one and no dimension longer than one.
template <typename List>
std::optional<typename List::value_type> FindOnly(const env::Tensor& tensor, const List& list) {
  for (const int32_t length : tensor.shape()) {
    if (length > 1) return std::nullopt;
  }
  if (list.size() != 1) return std::nullopt;
  return list.Get(0);
}

absl::Status TypeError(const env::Tensor& tensor, const std::string& field, const char* allowed) {
  return FieldError(field, PayloadName(tensor.payload_case()), allowed);
}

}  // namespace

absl::StatusOr<std::vector<double>> DecodeDoubles(const env::Tensor& tensor,
                                                  std::span<const int32_t> shape,
                                                  const std::string& field) {
  if (!tensor.has_doubles()) return TypeError(tensor, field, "must be of type DOUBLE");
  if (!Fits(ShapeOf(tensor), shape)) {
    return FieldError(field + ".shape", FormatShape(ShapeOf(tensor)),
                      "must be " + FormatShape(shape) + ", one dimension perhaps -1");
  }
  size_t count = 1;
  for (const int32_t length : shape) count *= static_cast<size_t>(length);
  const auto& array = tensor.doubles().array();
  const auto size = static_cast<size_t>(array.size());
  if (size != count && size != 1) {
    return FieldError(
        "size(" + field + ")", std::to_string(size),
        count == 1 ? "must be 1" : "must be " + std::to_string(count) + ", or 1 for all alike");
  }
  if (size == count) return std::vector<double>(array.begin(), array.end());
  return std::vector<double>(count, array.Get(0));
}

absl::StatusOr<double> DecodeNumber(const env::Tensor& tensor, const std::string& field) {
  std::optional<double> value;
  if (tensor.has_doubles()) value = FindOnly(tensor, tensor.doubles().array());
  if (tensor.has_floats()) value = FindOnly(tensor, tensor.floats().array());
  if (tensor.has_int32s()) value = FindOnly(tensor, tensor.int32s().array());
  if (tensor.has_int64s()) {
    const auto integer = FindOnly(tensor, tensor.int64s().array());
    if (integer.has_value()) value = static_cast<double>(*integer);
  }
  if (!value.has_value()) return TypeError(tensor, field, "must be one number");
  return *value;
}

absl::StatusOr<int64_t> DecodeInteger(const env::Tensor& tensor, const std::string& field) {
  std::optional<int64_t> value;
  if (tensor.has_int64s()) value = FindOnly(tensor, tensor.int64s().array());
  if (tensor.has_int32s()) value = FindOnly(tensor, tensor.int32s().array());
  if (tensor.has_uint32s()) value = FindOnly(tensor, tensor.uint32s().array());
  if (!value.has_value()) {
    return TypeError(tensor, field, "must be one integer (INT32, INT64 or UINT32)");
  }
  return *value;
}

absl::StatusOr<bool> DecodeFlag(const env::Tensor& tensor, const std::string& field) {
  std::optional<bool> value;
  if (tensor.has_bools()) value = FindOnly(tensor, tensor.bools().array());
  if (!value.has_value()) return TypeError(tensor, field, "must be one BOOL");
  return *value;
}

absl::StatusOr<std::string> DecodeText(const env::Tensor& tensor, const std::string& field) {
  if (tensor.has_strings()) {
    if (auto value = FindOnly(tensor, tensor.strings().array())) return *std::move(value);
  }
  return TypeError(tensor, field, "must be one STRING");
}

absl::StatusOr<std::vector<std::string>> DecodeTexts(const env::Tensor& tensor,
                                                     const std::string& field) {
  if (!tensor.has_strings()) return TypeError(tensor, field, "must be of type STRING");
  return std::vector<std::string>(tensor.strings().array().begin(), tensor.strings().array().end());
}

void EncodeDoubles(std::span<const double> values, std::span<const int32_t> shape,
                   env::Tensor& tensor) {
  tensor.mutable_shape()->Assign(shape.begin(), shape.end());
  tensor.mutable_doubles()->mutable_array()->Assign(values.begin(), values.end());
}

void EncodeDouble(double value, env::Tensor& tensor) { tensor.mutable_doubles()->add_array(value); }

void EncodeInteger(int64_t value, env::Tensor& tensor) {
  tensor.mutable_int64s()->add_array(value);
}

void EncodeUnsigned(uint64_t value, env::Tensor& tensor) {
  tensor.mutable_uint64s()->add_array(value);
}

void EncodeTexts(std::vector<std::string> values, env::Tensor& tensor) {
  tensor.add_shape(static_cast<int32_t>(values.size()));
  for (std::string& value : values) tensor.mutable_strings()->add_array(std::move(value));
}

}  // namespace talus::wire
