// Numbers and text as little-endian bytes, and back. The reader trusts nothing: reading past the
// end sets a flag and yields zeros, and no count is believed before it fits into the bytes that are
// left, so that a forged length cannot make anyone allocate more than a small multiple of the
// input.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "solver/base/math.h"

namespace talus {

static_assert(std::endian::native == std::endian::little, "the format is the memory's own order");

class ByteWriter {
 public:
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void Write(T value) {
    WriteBytes(&value, sizeof(value));
  }
  void WriteText(std::string_view text) {
    Write(static_cast<uint32_t>(text.size()));
    WriteBytes(text.data(), text.size());
  }
  void WriteVector(const Vec3& v) { WriteBytes(v.data(), 3 * sizeof(double)); }
  // x, y, z, w.
  void WriteQuaternion(const Quat& q) { WriteBytes(q.coeffs().data(), 4 * sizeof(double)); }
  void WriteBytes(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  // False once anything was read past the end.
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  size_t remaining() const { return rest_.size(); }

  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) T Read() {
    T value{};
    ReadBytes(&value, sizeof(value));
    return value;
  }
  // A count of things of which each takes at least `least_bytes` bytes; more than can follow is an
  // error.
  uint64_t ReadCount(size_t least_bytes) {
    const auto count = Read<uint64_t>();
    if (count <= rest_.size() / least_bytes) return count;
    Fail();
    return 0;
  }
  // At most `limit` characters.
  std::string ReadText(size_t limit) {
    const auto size = Read<uint32_t>();
    if (size > limit || size > rest_.size()) {
      Fail();
      return "";
    }
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  Vec3 ReadVector() {
    Vec3 v = Vec3::Zero();
    ReadBytes(v.data(), 3 * sizeof(double));
    return v;
  }
  Quat ReadQuaternion() {
    Quat q = Quat::Identity();
    ReadBytes(q.coeffs().data(), 4 * sizeof(double));
    return q;
  }
  void Fail() {
    ok_ = false;
    rest_ = {};
  }

 private:
  void ReadBytes(void* data, size_t size) {
    if (size > rest_.size()) {
      Fail();
      return;
    }
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace talus
