// Whole files, as the stores need them: written durably under a final name or not at all, read with
// a bound, found and removed.
//
// Failures are UNAVAILABLE (STORAGE) with the path and the system's words. A path that is no
// regular file is never waited on, and a link followed only where that is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talus {

// Makes the directory and those above it that are missing, so that they outlast a loss of power.
absl::Status MakeDirectory(const std::string& directory);

// Writes the parts one after the other to `directory`/`temporary_name`, flushes it, renames it to
// `name` and flushes the directory. After a failure there is a file under neither name.
absl::Status WriteFileDurably(const std::string& directory, const std::string& temporary_name,
                              const std::string& name, const std::vector<std::string_view>& parts);

struct FileHead {
  std::string bytes;  // at most as many as asked for
  int64_t file_size = 0;
  bool regular = true;  // false: a pipe, a folder, a link that was refused; then there is nothing
};

// What the stores write has no links; folders that are mounted for an operator are made of them.
enum class Links : uint8_t { kRefuse, kFollow };

// The first bytes of a file. Nothing when there is no such file; an empty head when it is no
// regular file.
absl::StatusOr<std::optional<FileHead>> ReadFileHead(const std::string& path, size_t most_bytes,
                                                     Links links = Links::kRefuse);

absl::Status FlushDirectory(const std::string& directory);

// The names in a directory, in no order.
absl::StatusOr<std::vector<std::string>> FindFileNames(const std::string& directory);

// Removes one name of a file. The bytes this set free: none while the file has another name.
// Nothing when there is no such file.
absl::StatusOr<std::optional<int64_t>> RemoveFile(const std::string& path);

bool EndsWith(std::string_view text, std::string_view suffix);

// Removes the files that end in `temporary_suffix`, which a crash left half-written, and counts the
// bytes of those that end in `suffix`.
absl::StatusOr<int64_t> TidyDirectory(const std::string& directory,
                                      std::string_view temporary_suffix, std::string_view suffix);

// UNAVAILABLE (STORAGE): "<what> <path>: <the system's words for `error`>".
absl::Status FileError(const std::string& what, const std::string& path, int error);

}  // namespace talus
