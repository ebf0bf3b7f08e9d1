#include "server/session/page.h"

#include <algorithm>

#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus {

absl::StatusOr<PageRange> FindPage(std::span<const std::string> sorted_ids, int64_t page_size,
                                   const std::string& page_token) {
  constexpr int64_t kDefaultSize = 100;
  constexpr int64_t kLargestSize = 1000;
  if (page_size < 0 || page_size > kLargestSize) {
    return InvalidFieldError("page_size", std::to_string(page_size), "must be in [0, 1000]");
  }
  if (page_size == 0) page_size = kDefaultSize;
  PageRange page;
  if (!page_token.empty()) {
    absl::Status valid = ValidateId(page_token, "page_token");
    if (!valid.ok()) return valid;
    page.begin = static_cast<size_t>(
        std::upper_bound(sorted_ids.begin(), sorted_ids.end(), page_token) - sorted_ids.begin());
  }
  page.end = std::min(sorted_ids.size(), page.begin + static_cast<size_t>(page_size));
  if (page.end < sorted_ids.size()) page.next_token = sorted_ids[page.end - 1];
  return page;
}

}  // namespace talus
