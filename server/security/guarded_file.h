// Reads a file that decides who may do what: a table of tokens, a private key, a certificate.
//
// Promises errors that name the file and never its content, and a bound on what is read. It does
// not know what the bytes mean.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace talus {

enum class FileAccess {
  kPublic,   // anybody may read it
  kGuarded,  // nobody but its owner may write it, and the world may not read it
};

// The whole file, at most 1 MiB. FAILED_PRECONDITION: `option FILE: what is wrong with it`, where
// `option` is the one that named it.
absl::StatusOr<std::string> ReadGuardedFile(const std::string& option, const std::string& path,
                                            FileAccess access);

}  // namespace talus
