// Which part of a sorted list of ids one page of a List call shows.
//
// The token of a page is the last id of the page before, so pages stay right when things come and
// go between calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace talus {

struct PageRange {
  size_t begin = 0;
  size_t end = 0;
  std::string next_token;  // empty: the last page
};

// INVALID_ARGUMENT when page_size is not in [0, 1000] (0: 100) or the token cannot be one of ours.
absl::StatusOr<PageRange> FindPage(std::span<const std::string> sorted_ids, int64_t page_size,
                                   const std::string& page_token);

}  // namespace talus
