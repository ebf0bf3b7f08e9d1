// Which part of a sorted list of ids one page of a List call shows: ids that are names, and those
// that are numbers, as of what is in a scene.
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

// Of what has numbers as ids, which are above 0.
struct NumberPage {
  size_t size = 0;     // at most so many
  uint64_t after = 0;  // ids above this one
};

// Errors as FindPage.
absl::StatusOr<NumberPage> FindNumberPage(int64_t page_size, const std::string& page_token);

}  // namespace talus
