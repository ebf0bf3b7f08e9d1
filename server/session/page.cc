#include "server/session/page.h"

#include <algorithm>
#include <charconv>

#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

absl::StatusOr<size_t> ParsePageSize(int64_t page_size) {
  constexpr size_t kDefaultSize = 100;
  constexpr int64_t kLargestSize = 1000;
  if (page_size < 0 || page_size > kLargestSize) {
    return InvalidFieldError("page_size", std::to_string(page_size), "must be in [0, 1000]");
  }
  return page_size == 0 ? kDefaultSize : static_cast<size_t>(page_size);
}

}  // namespace

absl::StatusOr<PageRange> FindPage(std::span<const std::string> sorted_ids, int64_t page_size,
                                   const std::string& page_token) {
  TALUS_ASSIGN_OR_RETURN(const size_t size, ParsePageSize(page_size));
  PageRange page;
  if (!page_token.empty()) {
    absl::Status valid = ValidateId(page_token, "page_token");
    if (!valid.ok()) return valid;
    page.begin = static_cast<size_t>(
        std::upper_bound(sorted_ids.begin(), sorted_ids.end(), page_token) - sorted_ids.begin());
  }
  page.end = std::min(sorted_ids.size(), page.begin + size);
  if (page.end < sorted_ids.size()) page.next_token = sorted_ids[page.end - 1];
  return page;
}

absl::StatusOr<NumberPage> FindNumberPage(int64_t page_size, const std::string& page_token) {
  NumberPage page;
  TALUS_ASSIGN_OR_RETURN(page.size, ParsePageSize(page_size));
  if (page_token.empty()) return page;
  const char* const end = page_token.data() + page_token.size();
  const auto parsed = std::from_chars(page_token.data(), end, page.after);
  if (parsed.ec != std::errc() || parsed.ptr != end || page.after == 0) {
    return InvalidFieldError("page_token", FormatValue(std::string_view(page_token)),
                             "must be empty or the next_page_token of a page before: an id in [1, "
                             "18446744073709551615]");
  }
  return page;
}

}  // namespace talus
