// One 64-bit number for a whole state: XXH3 over the raw bits of what is fed to it, in the order it
// is fed. Two states with the same hash are taken to be the same bits; every determinism test rests
// on it.
//
// Only types without padding may be fed, because padding bytes have no defined value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace talus {

class StateHasher {
 public:
  StateHasher();
  ~StateHasher() = default;
  StateHasher(const StateHasher&) = delete;
  StateHasher& operator=(const StateHasher&) = delete;

  void AddBytes(const void* data, size_t size);

  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void AddValue(T value) {
    AddBytes(&value, sizeof(value));
  }
  // The length is fed too, so that neighbouring arrays cannot trade elements.
  template <typename T>
  void AddArray(std::span<const T> values) {
    AddValue(static_cast<uint64_t>(values.size()));
    AddBytes(values.data(), values.size_bytes());
  }
  void AddText(std::string_view text) {
    AddValue(static_cast<uint64_t>(text.size()));
    AddBytes(text.data(), text.size());
  }

  uint64_t Finish() const;

 private:
  // Room for an XXH3_state_t, which state_hash.cc alone knows: no memory to ask for.
  alignas(64) std::byte state_[576];
};

// XXH3 of one block of bytes.
uint64_t HashBytes(std::string_view bytes);

}  // namespace talus
