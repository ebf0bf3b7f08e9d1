// What a call came to: its answer, or an Error with the gRPC code, the message and the server's
// machine-readable detail. Stands between the stubs and everything a user of the client writes.
// Promises that exactly one of the two is there; asking for the one that is not stops the program
// with the error's text. It does not know gRPC: the codes are the canonical numbers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

#include "talus/v1/error.pb.h"

namespace talus::client {

// The canonical codes, with gRPC's numbers.
enum class Code {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// `NOT_FOUND` and so on.
const char* CodeName(Code code);

struct Error {
  Code code = Code::kUnknown;
  std::string message;
  v1::ErrorDetail detail;  // empty when the server sent none

  // `NOT_FOUND: scenes/a does not exist`.
  std::string ToString() const { return std::string(CodeName(code)) + ": " + message; }
};

// An error that is the client's own: no server, no detail.
inline Error MakeError(Code code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return error;
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }
  Code code() const { return ok() ? Code::kOk : error().code; }

  const Error& error() const {
    if (ok()) {
      std::fputs("talus: error() of a Result that holds a value\n", stderr);
      std::abort();
    }
    return std::get<1>(held_);
  }

  T& value() {
    RequireValue();
    return std::get<0>(held_);
  }
  const T& value() const {
    RequireValue();
    return std::get<0>(held_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void RequireValue() const {
    if (ok()) return;
    std::fprintf(stderr, "talus: value() of a failed Result: %s\n", error().ToString().c_str());
    std::abort();
  }

  std::variant<T, Error> held_;
};

// The answer of a call that has nothing to say beyond success.
struct Done {};

}  // namespace talus::client
