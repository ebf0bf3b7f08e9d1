// An HDF5 file in memory that a test takes apart: what a reader makes of files that nobody would
// write.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <string>
#include <vector>

namespace talus::testing {

class EditedHdf5 {
 public:
  explicit EditedHdf5(std::string bytes) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, size_t{1} << 16, 0);
    H5Pset_file_image(access, bytes.data(), bytes.size());
    file_ = H5Fopen("edited", H5F_ACC_RDWR, access);
    H5Pclose(access);
    EXPECT_GE(file_, 0);
  }
  EditedHdf5(const EditedHdf5&) = delete;
  EditedHdf5& operator=(const EditedHdf5&) = delete;
  ~EditedHdf5() { H5Fclose(file_); }

  hid_t file() const { return file_; }

  void Remove(const char* path) { EXPECT_GE(H5Ldelete(file_, path, H5P_DEFAULT), 0) << path; }

  // A new dataset in the place of the one that may be there; without values nothing is written.
  void Put(const char* path, hid_t type, const std::vector<hsize_t>& shape, const void* values,
           hid_t creation = H5P_DEFAULT) {
    if (H5Lexists(file_, path, H5P_DEFAULT) > 0) Remove(path);
    const hid_t space =
        shape.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << path;
    if (values != nullptr) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
  }
  void PutIntegers(const char* path, const std::vector<int>& values) {
    Put(path, H5T_NATIVE_INT, {values.size()}, values.data());
  }
  void PutNumbers(const char* path, const std::vector<double>& values) {
    Put(path, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
  }

  std::string Bytes() const {
    H5Fflush(file_, H5F_SCOPE_GLOBAL);
    std::string bytes(static_cast<size_t>(H5Fget_file_image(file_, nullptr, 0)), '\0');
    EXPECT_GT(H5Fget_file_image(file_, bytes.data(), bytes.size()), 0);
    return bytes;
  }

 private:
  hid_t file_ = -1;
};

}  // namespace talus::testing
