// An HDF5 file made in memory, with datasets of rank 1 and fixed length, as the C library of the
// Friction-Contact Library makes them. The same values give the same bytes: no times are kept.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "solver/problem_io/hdf5_session.h"

namespace talus {

// Has the library to itself for as long as it lives.
class Hdf5Writer {
 public:
  Hdf5Writer();

  // Paths are absolute, and their groups must have been added. What fails is told by Finish.
  void AddGroup(const std::string& path);
  void AddInteger(const std::string& path, int value);
  void AddIntegers(const std::string& path, std::span<const int> values);
  void AddNumbers(const std::string& path, const Eigen::VectorXd& values);
  // Up to the first zero of it.
  void AddText(const std::string& path, const std::string& text);

  // The file's bytes; INTERNAL where the library failed (memory).
  absl::StatusOr<std::string> Finish();

 private:
  void AddDataset(const std::string& path, int64_t type, int64_t space, const void* values);

  Hdf5Session session_;
  Hdf5Handle without_times_;
  Hdf5Handle file_;
  bool failed_ = false;
};

}  // namespace talus
