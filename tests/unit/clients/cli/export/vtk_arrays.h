// Reads the arrays of a VTK document back: the tag that names one, and its numbers from base64. It
// knows documents as VtkDocument writes them and no others.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace talus::cli {

// The opening tag of the array; empty where there is none.
inline std::string FindArrayTag(const std::string& document, const std::string& name) {
  const size_t at = document.find("Name=\"" + name + "\"");
  if (at == std::string::npos) return "";
  const size_t begin = document.rfind('<', at);
  return document.substr(begin, document.find('>', at) + 1 - begin);
}

// Its numbers. The length before them must be theirs.
template <typename Number>
std::vector<Number> ReadArray(const std::string& document, const std::string& name) {
  const std::string tag = FindArrayTag(document, name);
  EXPECT_FALSE(tag.empty()) << name;
  const size_t begin = document.find(tag) + tag.size();
  const std::string text = document.substr(begin, document.find('<', begin) - begin);
  std::vector<unsigned char> bytes(text.size() + 1);
  const int size =
      EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size()));
  uint64_t length = 0;
  EXPECT_GE(size, static_cast<int>(sizeof length)) << name;
  std::memcpy(&length, bytes.data(), sizeof length);
  // The decoder counts the filling of the last group too.
  EXPECT_LE(sizeof length + length, static_cast<size_t>(size)) << name;
  EXPECT_GT(sizeof length + length + 3, static_cast<size_t>(size)) << name;
  std::vector<Number> numbers(length / sizeof(Number));
  if (length > 0) std::memcpy(numbers.data(), bytes.data() + sizeof length, length);
  return numbers;
}

}  // namespace talus::cli
