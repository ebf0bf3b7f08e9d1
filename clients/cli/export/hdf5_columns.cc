#include "clients/cli/export/hdf5_columns.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace talus::cli {
namespace {

constexpr size_t kFlushBytes = size_t{1} << 20;
constexpr hsize_t kChunkNumbers = 8192;
constexpr unsigned kDeflateLevel = 1;  // numbers of a simulation pack little better at more

using Close = herr_t (*)(hid_t);

// A handle of the library, closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t id() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

bool WriteText(hid_t object, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (!type.ok() || H5Tset_size(type.id(), text.size() + 1) < 0) return false;
  const Handle attribute(
      H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.ok() && H5Awrite(attribute.id(), type.id(), text.c_str()) >= 0;
}

// To be closed by the caller.
hid_t MakeType(Hdf5Columns::Type type) {
  switch (type) {
    case Hdf5Columns::Type::kNumber:
      return H5Tcopy(H5T_NATIVE_DOUBLE);
    case Hdf5Columns::Type::kInteger:
      return H5Tcopy(H5T_NATIVE_INT64);
    case Hdf5Columns::Type::kHash:
      return H5Tcopy(H5T_NATIVE_UINT64);
    case Hdf5Columns::Type::kName:
      break;
  }
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, Hdf5Columns::kNameSize);
  return text;
}

// To be closed by the caller; negative where it failed.
hid_t MakeDataset(hid_t file, const Hdf5Columns::Column& column) {
  const auto width = static_cast<hsize_t>(column.width);
  const int rank = column.width == 1 ? 1 : 2;
  const hsize_t empty[2] = {0, width};
  const hsize_t most[2] = {H5S_UNLIMITED, width};
  const hsize_t chunk[2] = {std::max<hsize_t>(1, kChunkNumbers / width), width};
  const Handle space(H5Screate_simple(rank, empty, most), H5Sclose);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  const Handle type(MakeType(column.type), H5Tclose);
  if (!space.ok() || !create.ok() || !link.ok() || !type.ok() ||
      H5Pset_chunk(create.id(), rank, chunk) < 0 || H5Pset_shuffle(create.id()) < 0 ||
      H5Pset_deflate(create.id(), kDeflateLevel) < 0 ||
      H5Pset_obj_track_times(create.id(), false) < 0 ||
      H5Pset_create_intermediate_group(link.id(), 1) < 0) {
    return -1;
  }
  return H5Dcreate2(file, column.path.c_str(), type.id(), space.id(), link.id(), create.id(),
                    H5P_DEFAULT);
}

}  // namespace

struct Hdf5Columns::Dataset {
  Column column;
  hid_t id = -1;
  hsize_t rows = 0;  // written
  std::string waiting;

  size_t row_bytes() const {
    return column.type == Type::kName ? kNameSize
                                      : sizeof(double) * static_cast<size_t>(column.width);
  }
};

Hdf5Columns::Hdf5Columns(std::string path, int64_t file) : path_(std::move(path)), file_(file) {}

client::Result<std::unique_ptr<Hdf5Columns>> Hdf5Columns::Create(const std::string& path) {
  // Every file is closed here. At exit the library would try again what a full disk refused, and
  // crash.
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what fails is told by us
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  std::unique_ptr<Hdf5Columns> columns(new Hdf5Columns(path, file));
  if (file < 0) return columns->WriteError();
  return columns;
}

Hdf5Columns::~Hdf5Columns() {
  for (const Dataset& dataset : datasets_) {
    if (dataset.id >= 0) H5Dclose(dataset.id);
  }
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Columns::AddAttribute(const std::string& name, const std::string& text) {
  failed_ = failed_ || !WriteText(file_, name, text);
}

size_t Hdf5Columns::AddColumn(const Column& column) {
  Dataset& dataset = datasets_.emplace_back();
  dataset.column = column;
  dataset.id = failed_ ? -1 : MakeDataset(file_, column);
  failed_ =
      failed_ || dataset.id < 0 ||
      (!column.units.empty() && !WriteText(dataset.id, "units", column.units)) ||
      (!column.description.empty() && !WriteText(dataset.id, "description", column.description));
  return datasets_.size() - 1;
}

void Hdf5Columns::Append(size_t column, std::span<const double> numbers) {
  datasets_[column].waiting.append(reinterpret_cast<const char*>(numbers.data()),
                                   numbers.size_bytes());
}

void Hdf5Columns::Append(size_t column, std::span<const int64_t> integers) {
  datasets_[column].waiting.append(reinterpret_cast<const char*>(integers.data()),
                                   integers.size_bytes());
}

void Hdf5Columns::AppendHash(size_t column, uint64_t hash) {
  datasets_[column].waiting.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

void Hdf5Columns::AppendName(size_t column, const std::string& name) {
  std::string cell = name.substr(0, kNameSize - 1);
  cell.resize(kNameSize, '\0');
  datasets_[column].waiting += cell;
}

void Hdf5Columns::WriteWaiting(Dataset* dataset) {
  const auto width = static_cast<hsize_t>(dataset->column.width);
  const int rank = dataset->column.width == 1 ? 1 : 2;
  const hsize_t count[2] = {dataset->waiting.size() / dataset->row_bytes(), width};
  if (failed_ || count[0] == 0) return;
  const hsize_t start[2] = {dataset->rows, 0};
  const hsize_t size[2] = {dataset->rows + count[0], width};
  failed_ = H5Dset_extent(dataset->id, size) < 0;
  if (failed_) return;
  const Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
  const Handle place(H5Dget_space(dataset->id), H5Sclose);
  const Handle type(MakeType(dataset->column.type), H5Tclose);
  failed_ = !memory.ok() || !place.ok() ||
            H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
            H5Dwrite(dataset->id, type.id(), memory.id(), place.id(), H5P_DEFAULT,
                     dataset->waiting.data()) < 0;
  dataset->rows += count[0];
  dataset->waiting.clear();
}

client::Result<client::Done> Hdf5Columns::Flush() {
  for (Dataset& dataset : datasets_) {
    if (dataset.waiting.size() >= kFlushBytes) WriteWaiting(&dataset);
  }
  if (failed_) return WriteError();
  return client::Done{};
}

client::Result<client::Done> Hdf5Columns::Close() {
  for (Dataset& dataset : datasets_) {
    WriteWaiting(&dataset);
    failed_ = H5Dclose(std::exchange(dataset.id, -1)) < 0 || failed_;
  }
  failed_ = H5Fclose(std::exchange(file_, -1)) < 0 || failed_;
  if (failed_) return WriteError();
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  failed_ = descriptor < 0 || ::fsync(descriptor) != 0;
  if (descriptor >= 0) ::close(descriptor);
  if (failed_) return WriteError();
  return client::Done{};
}

client::Error Hdf5Columns::WriteError() const {
  return MakeError(client::Code::kUnknown, "HDF5 cannot write " + path_);
}

}  // namespace talus::cli
