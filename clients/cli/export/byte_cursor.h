// Takes little-endian values off the front of bytes; once something was missing, nothing more
// comes and ok() is false.
#pragma once

#include <cstdint>
#include <string_view>

namespace talus::cli {

class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Get() {
    const std::string_view taken = GetBytes(sizeof(T));
    uint64_t value = 0;
    for (size_t byte = 0; byte < taken.size(); ++byte) {
      value |= uint64_t{static_cast<unsigned char>(taken[byte])} << (8 * byte);
    }
    return static_cast<T>(value);
  }
  std::string_view GetBytes(uint64_t count) {
    if (count > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  // Its length, then its bytes.
  std::string_view GetString() { return GetBytes(Get<uint32_t>()); }

  std::string_view rest() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  bool ok() const { return !failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace talus::cli
