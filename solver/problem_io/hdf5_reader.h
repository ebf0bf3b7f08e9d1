// Datasets of an HDF5 file that somebody else wrote, read out of memory and believed in nothing:
// of each dataset the link, the shape, the type and the storage are looked at before a byte of it
// is read. Read are datasets of rank 1 and single values, of integers and floating-point numbers of
// the common sizes and of text of fixed length, whose bytes stand in the file as they are: nothing
// compressed or in chunks, no links to other places or files. So no dataset is larger than the
// file.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/problem_io/hdf5_session.h"

namespace talus {

// Whether a file begins as HDF5 files do.
bool HasHdf5Signature(std::string_view bytes);

// Has the library to itself for as long as it lives.
class Hdf5Reader {
 public:
  enum class Kind : uint8_t { kIntegers, kNumbers, kText };

  // INVALID_ARGUMENT where the bytes are no HDF5 file. Borrows them.
  static absl::StatusOr<std::unique_ptr<Hdf5Reader>> Open(std::string_view bytes);

  // Whether there is a dataset, group or link of that name. Paths are absolute.
  bool Has(const std::string& path) const;
  // Whether there is a dataset of that name whose values nobody ever wrote.
  bool IsUnwritten(const std::string& path) const;

  // Each is INVALID_ARGUMENT naming the dataset, what it is and what it must be.
  absl::StatusOr<int64_t> Integer(const std::string& path, int64_t low, int64_t high) const;
  absl::StatusOr<std::vector<int64_t>> Integers(const std::string& path) const;
  // All finite.
  absl::StatusOr<Eigen::VectorXd> Numbers(const std::string& path) const;
  absl::StatusOr<Eigen::VectorXd> Numbers(const std::string& path, Eigen::Index count) const;
  absl::StatusOr<std::string> Text(const std::string& path) const;

 private:
  struct Dataset;

  Hdf5Reader() = default;
  absl::StatusOr<Dataset> Open(const std::string& path, Kind kind) const;

  Hdf5Session session_;
  Hdf5Handle file_;
  uint64_t size_ = 0;
};

}  // namespace talus
