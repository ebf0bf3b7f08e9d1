#include "solver/problem_io/hdf5_writer.h"

#include <hdf5.h>

#include <cstring>

#include "absl/status/status.h"

namespace talus {
namespace {

constexpr size_t kGrowth = size_t{1} << 20;  // bytes by which the memory of a file grows

}  // namespace

Hdf5Writer::Hdf5Writer() {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  without_times_ = Hdf5Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  failed_ = !access.ok() || !without_times_.ok() ||
            H5Pset_obj_track_times(without_times_.id(), false) < 0 ||
            H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG) < 0 ||
            H5Pset_fapl_core(access.id(), kGrowth, /*backing_store=*/0) < 0;
  if (failed_) return;
  // The name is one to show: without a backing store no file of that name is made.
  file_ = Hdf5Handle(H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  failed_ = !file_.ok();
}

void Hdf5Writer::AddGroup(const std::string& path) {
  if (failed_) return;
  const Hdf5Handle group(
      H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  failed_ = !group.ok();
}

void Hdf5Writer::AddInteger(const std::string& path, int value) { AddIntegers(path, {&value, 1}); }

void Hdf5Writer::AddIntegers(const std::string& path, std::span<const int> values) {
  if (failed_) return;
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  AddDataset(path, H5T_NATIVE_INT, space.id(), values.data());
}

void Hdf5Writer::AddNumbers(const std::string& path, const Eigen::VectorXd& values) {
  if (failed_) return;
  const auto count = static_cast<hsize_t>(values.size());
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  AddDataset(path, H5T_NATIVE_DOUBLE, space.id(), values.data());
}

void Hdf5Writer::AddText(const std::string& path, const std::string& text) {
  if (failed_) return;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  failed_ = !type.ok() || H5Tset_size(type.id(), std::strlen(text.c_str()) + 1) < 0;
  if (!failed_) AddDataset(path, type.id(), space.id(), text.c_str());
}

void Hdf5Writer::AddDataset(const std::string& path, int64_t type, int64_t space,
                            const void* values) {
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), path.c_str(), type, space, H5P_DEFAULT,
                                      without_times_.id(), H5P_DEFAULT),
                           H5Dclose);
  failed_ = !dataset.ok();
  if (failed_ || H5Sget_simple_extent_npoints(space) == 0) return;
  failed_ = H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
}

absl::StatusOr<std::string> Hdf5Writer::Finish() {
  std::string bytes;
  if (!failed_ && H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0) {
    const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
    if (size > 0) {
      bytes.resize(static_cast<size_t>(size));
      if (H5Fget_file_image(file_.id(), bytes.data(), bytes.size()) == size) return bytes;
    }
  }
  return absl::InternalError("HDF5 cannot make the file");
}

}  // namespace talus
