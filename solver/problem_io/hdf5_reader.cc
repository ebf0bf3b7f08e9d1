#include "solver/problem_io/hdf5_reader.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
// The bytes of the file stay where they are: whatever memory the library asks for to hold them is
// theirs, and copying them there is done. A copy would also be lost where a damaged file makes the
// library forget to close it.
const H5FD_file_image_callbacks_t kInPlace = {
    .image_malloc = [](size_t, H5FD_file_image_op_t, void* bytes) { return bytes; },
    .image_memcpy = [](void* to, const void*, size_t, H5FD_file_image_op_t, void*) { return to; },
    .image_realloc = [](void*, size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; },
    .image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; },
    .udata_copy = [](void* bytes) { return bytes; },
    .udata_free = [](void*) -> herr_t { return 0; },
    .udata = nullptr};

// Of the types of the world only these: the library converts others bit by bit, by a description
// that a file can make up.
bool IsInteger(hid_t type) {
  for (const hid_t known :
       {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_U8LE, H5T_STD_U16LE,
        H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_I16BE}) {
    if (H5Tequal(type, known) > 0) return true;
  }
  return false;
}

bool IsNumber(hid_t type) {
  for (const hid_t known : {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE}) {
    if (H5Tequal(type, known) > 0) return true;
  }
  return false;
}

bool IsText(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

absl::Status CheckType(const std::string& path, Hdf5Reader::Kind kind, hid_t type) {
  const std::string field = absl::StrCat(path, ".type");
  switch (kind) {
    case Hdf5Reader::Kind::kIntegers:
      if (IsInteger(type)) return absl::OkStatus();
      return FieldError(field, "another", "must be integers of 1, 2, 4 or 8 bytes");
    case Hdf5Reader::Kind::kNumbers:
      if (IsNumber(type)) return absl::OkStatus();
      return FieldError(field, "another", "must be floating-point numbers of 4 or 8 bytes");
    case Hdf5Reader::Kind::kText:
      if (IsText(type)) return absl::OkStatus();
      return FieldError(field, "another", "must be a text of fixed length");
  }
  return absl::InternalError("no kind of dataset");
}

absl::Status ReadFailed(const std::string& path) {
  return FieldError(path, "something that HDF5 cannot read", "must be a dataset");
}

// Every step of the path leads into this file.
absl::Status CheckLinks(hid_t file, const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string step = path.substr(0, end);
    if (H5Lexists(file, step.c_str(), H5P_DEFAULT) <= 0) {
      return FieldError(step, "nothing", "must be given");
    }
    H5L_info_t info;
    if (H5Lget_info(file, step.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
      return FieldError(step, "a link to another place", "must stand in the file itself");
    }
    if (end == std::string::npos) return absl::OkStatus();
  }
}

}  // namespace

struct Hdf5Reader::Dataset {
  Hdf5Handle dataset;
  Hdf5Handle type;
  hsize_t count = 0;  // of values

  absl::Status Read(const std::string& path, hid_t memory_type, void* values) const {
    if (H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
      return ReadFailed(path);
    }
    return absl::OkStatus();
  }
};

bool HasHdf5Signature(std::string_view bytes) { return bytes.starts_with(kSignature); }

absl::StatusOr<std::unique_ptr<Hdf5Reader>> Hdf5Reader::Open(std::string_view bytes) {
  if (!HasHdf5Signature(bytes)) return absl::InvalidArgumentError("the file is not HDF5");
  std::unique_ptr<Hdf5Reader> reader = absl::WrapUnique(new Hdf5Reader);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // A file that is open for reading is not written to.
  void* const image = const_cast<char*>(bytes.data());
  H5FD_file_image_callbacks_t in_place = kInPlace;
  in_place.udata = image;
  if (!access.ok() || H5Pset_fapl_core(access.id(), size_t{1} << 16, /*backing_store=*/0) < 0 ||
      H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG) < 0 ||
      H5Pset_file_image_callbacks(access.id(), &in_place) < 0 ||
      H5Pset_file_image(access.id(), image, bytes.size()) < 0) {
    return absl::InternalError("HDF5 cannot read from memory");
  }
  // The name is one to show: with an image nothing of that name is looked for.
  reader->file_ = Hdf5Handle(H5Fopen("problem", H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!reader->file_.ok()) {
    return absl::InvalidArgumentError("the file is a damaged or incomplete HDF5 file");
  }
  reader->size_ = bytes.size();
  return reader;
}

bool Hdf5Reader::Has(const std::string& path) const {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file_.id(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

bool Hdf5Reader::IsUnwritten(const std::string& path) const {
  if (!CheckLinks(file_.id(), path).ok()) return false;
  const Hdf5Handle dataset(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  return dataset.ok() && H5Dget_storage_size(dataset.id()) == 0;
}

absl::StatusOr<Hdf5Reader::Dataset> Hdf5Reader::Open(const std::string& path, Kind kind) const {
  TALUS_RETURN_IF_ERROR(CheckLinks(file_.id(), path));
  Dataset found;
  found.dataset = Hdf5Handle(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!found.dataset.ok()) return ReadFailed(path);
  const Hdf5Handle space(H5Dget_space(found.dataset.id()), H5Sclose);
  const Hdf5Handle storage(H5Dget_create_plist(found.dataset.id()), H5Pclose);
  found.type = Hdf5Handle(H5Dget_type(found.dataset.id()), H5Tclose);
  if (!space.ok() || !storage.ok() || !found.type.ok()) return ReadFailed(path);

  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (H5Sget_simple_extent_type(space.id()) == H5S_SCALAR) {
    found.count = 1;
  } else if (rank != 1) {
    return FieldError(absl::StrCat(path, ".rank"), FormatValue(int64_t{rank}), "must be 1");
  } else if (H5Sget_simple_extent_dims(space.id(), &found.count, nullptr) != 1) {
    return ReadFailed(path);
  }
  const hid_t type = found.type.id();
  TALUS_RETURN_IF_ERROR(CheckType(path, kind, type));

  const H5D_layout_t layout = H5Pget_layout(storage.id());
  if ((layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) || H5Pget_nfilters(storage.id()) != 0 ||
      H5Pget_external_count(storage.id()) != 0) {
    return FieldError(absl::StrCat(path, ".storage"), "in chunks, compressed or elsewhere",
                      "must be contiguous and in the file itself");
  }
  const size_t width = H5Tget_size(type);
  if (width == 0 || found.count > size_ / width ||
      H5Dget_storage_size(found.dataset.id()) != found.count * width) {
    return FieldError(absl::StrCat(path, ".size"), FormatValue(uint64_t{found.count}),
                      "must be the values that the file holds");
  }
  return found;
}

absl::StatusOr<std::vector<int64_t>> Hdf5Reader::Integers(const std::string& path) const {
  TALUS_ASSIGN_OR_RETURN(const Dataset found, Open(path, Kind::kIntegers));
  std::vector<int64_t> values(found.count);
  if (!values.empty()) TALUS_RETURN_IF_ERROR(found.Read(path, H5T_NATIVE_INT64, values.data()));
  return values;
}

absl::StatusOr<int64_t> Hdf5Reader::Integer(const std::string& path, int64_t low,
                                            int64_t high) const {
  TALUS_ASSIGN_OR_RETURN(const std::vector<int64_t> values, Integers(path));
  if (values.size() != 1) {
    return FieldError(absl::StrCat(path, ".size"), FormatValue(uint64_t{values.size()}),
                      "must be 1");
  }
  if (values[0] < low || values[0] > high) {
    return FieldError(path, FormatValue(values[0]),
                      low == high ? absl::StrCat("must be ", low)
                                  : absl::StrCat("must be from ", low, " to ", high));
  }
  return values[0];
}

absl::StatusOr<Eigen::VectorXd> Hdf5Reader::Numbers(const std::string& path) const {
  TALUS_ASSIGN_OR_RETURN(const Dataset found, Open(path, Kind::kNumbers));
  Eigen::VectorXd values(static_cast<Eigen::Index>(found.count));
  if (found.count == 0) return values;
  TALUS_RETURN_IF_ERROR(found.Read(path, H5T_NATIVE_DOUBLE, values.data()));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return FieldError(absl::StrCat(path, "[", i, "]"), FormatValue(values[i]), "must be finite");
  }
  return values;
}

absl::StatusOr<Eigen::VectorXd> Hdf5Reader::Numbers(const std::string& path,
                                                    Eigen::Index count) const {
  TALUS_ASSIGN_OR_RETURN(Eigen::VectorXd values, Numbers(path));
  if (values.size() != count) {
    return FieldError(absl::StrCat(path, ".size"), FormatValue(int64_t{values.size()}),
                      absl::StrCat("must be ", count));
  }
  return values;
}

absl::StatusOr<std::string> Hdf5Reader::Text(const std::string& path) const {
  TALUS_ASSIGN_OR_RETURN(const Dataset found, Open(path, Kind::kText));
  if (found.count != 1) {
    return FieldError(absl::StrCat(path, ".size"), FormatValue(uint64_t{found.count}), "must be 1");
  }
  std::string text(H5Tget_size(found.type.id()), '\0');
  TALUS_RETURN_IF_ERROR(found.Read(path, found.type.id(), text.data()));
  // Ended by a zero, or by the width of the type.
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace talus
