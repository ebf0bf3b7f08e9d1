// Tensors of dm_env_rpc to and from plain values.
//
// An action must have the type and shape of its spec, except that one dimension may be left to be
// found (-1) and that one element may stand for all. A setting is taken as any type that holds its
// value exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dm_env_rpc/v1/dm_env_rpc.pb.h"

namespace talus::wire {

namespace env = ::dm_env_rpc::v1;

// Row by row, as many as `shape` holds; `shape` has no negative dimension. INVALID_ARGUMENT naming
// `field`: other than doubles, another shape, or another count of elements.
absl::StatusOr<std::vector<double>> DecodeDoubles(const env::Tensor& tensor,
                                                  std::span<const int32_t> shape,
                                                  const std::string& field);

// Settings: a single element, and a list of texts. INVALID_ARGUMENT naming `field`.
absl::StatusOr<double> DecodeNumber(const env::Tensor& tensor, const std::string& field);
absl::StatusOr<int64_t> DecodeInteger(const env::Tensor& tensor, const std::string& field);
absl::StatusOr<bool> DecodeFlag(const env::Tensor& tensor, const std::string& field);
absl::StatusOr<std::string> DecodeText(const env::Tensor& tensor, const std::string& field);
absl::StatusOr<std::vector<std::string>> DecodeTexts(const env::Tensor& tensor,
                                                     const std::string& field);

void EncodeDoubles(std::span<const double> values, std::span<const int32_t> shape,
                   env::Tensor& tensor);
void EncodeDouble(double value, env::Tensor& tensor);
void EncodeInteger(int64_t value, env::Tensor& tensor);
void EncodeUnsigned(uint64_t value, env::Tensor& tensor);
void EncodeTexts(std::vector<std::string> values, env::Tensor& tensor);

}  // namespace talus::wire
