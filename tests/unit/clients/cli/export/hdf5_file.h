// Reads an HDF5 file that an export has written back, with the library itself.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace talus::cli {

class Hdf5File {
 public:
  explicit Hdf5File(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0) << path;
  }
  ~Hdf5File() { H5Fclose(file_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  // Links above it must be there.
  bool Has(const std::string& path) const {
    return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  }
  // Rows, then numbers a row where there are several.
  std::vector<hsize_t> Shape(const std::string& path) const {
    const hid_t set = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    EXPECT_GE(set, 0) << path;
    const hid_t space = H5Dget_space(set);
    std::vector<hsize_t> shape(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return shape;
  }
  template <typename Number>
  std::vector<Number> Read(const std::string& path) const {
    hsize_t count = 1;
    for (const hsize_t extent : Shape(path)) count *= extent;
    std::vector<Number> numbers(count);
    const hid_t type = std::is_same_v<Number, double>    ? H5T_NATIVE_DOUBLE
                       : std::is_same_v<Number, int64_t> ? H5T_NATIVE_INT64
                                                         : H5T_NATIVE_UINT64;
    const hid_t set = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0) << path;
    H5Dclose(set);
    return numbers;
  }
  std::vector<std::string> ReadNames(const std::string& path) const {
    const hid_t set = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(set);
    const size_t size = H5Tget_size(type);
    std::string cells(Shape(path).at(0) * size, '?');
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()), 0) << path;
    H5Tclose(type);
    H5Dclose(set);
    std::vector<std::string> names;
    for (size_t at = 0; at < cells.size(); at += size) names.emplace_back(cells.c_str() + at);
    return names;
  }
  // Of a dataset or of the root, "/"; empty where there is none.
  std::string Attribute(const std::string& path, const std::string& name) const {
    if (H5Aexists_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return "";
    const hid_t attribute =
        H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), '?');
    EXPECT_GE(H5Aread(attribute, type, text.data()), 0) << name;
    H5Tclose(type);
    H5Aclose(attribute);
    return text.c_str();
  }

 private:
  hid_t file_;
};

}  // namespace talus::cli
