// A contact problem stored on disk, in any of the formats: JSON (json_problem.h) and the HDF5 of
// the Friction-Contact Library (fclib_problem.h). Files are read whole, so there is a largest one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/problem_io/problem_file.h"

namespace talus {

// A problem in memory takes many times its bytes in a file.
inline constexpr uint64_t kMaxProblemFileBytes = uint64_t{256} << 20;

// By what the bytes are: HDF5 has a signature, everything else must be JSON. INVALID_ARGUMENT as
// the formats say, or where there are more than kMaxProblemFileBytes.
absl::StatusOr<ProblemFile> ReadProblem(std::string_view bytes);

// NOT_FOUND where no file can be opened, INVALID_ARGUMENT where it is none (a folder, a device), is
// too large or holds no problem.
absl::StatusOr<ProblemFile> ReadProblemFile(const std::string& path);

// By the extension: .json, or .h5 and .hdf5 for FCLIB; INVALID_ARGUMENT for any other, and where
// the format cannot hold the problem; UNAVAILABLE where the file cannot be written. An existing
// file is replaced once all of the new one is there.
absl::Status WriteProblemFile(const std::string& path, const ProblemFile& file);

}  // namespace talus
