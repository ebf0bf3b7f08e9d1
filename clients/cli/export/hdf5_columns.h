// An HDF5 file of columns that grow: each a dataset with a row for every value or vector, in
// compressed chunks, with its unit and meaning as attributes `units` and `description`. Rows wait
// in memory until there are enough of them for a write. It knows nothing of what the columns hold.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clients/cpp/result.h"

namespace talus::cli {

class Hdf5Columns {
 public:
  enum class Type { kNumber, kInteger, kHash, kName };
  static constexpr size_t kNameSize = 65;  // 64 letters and a zero

  struct Column {
    std::string path;  // absolute; its group is made when it is not there
    Type type = Type::kNumber;
    int width = 1;  // numbers a row
    std::string units;
    std::string description;
  };

  static client::Result<std::unique_ptr<Hdf5Columns>> Create(const std::string& path);
  ~Hdf5Columns();
  Hdf5Columns(const Hdf5Columns&) = delete;
  Hdf5Columns& operator=(const Hdf5Columns&) = delete;

  // What fails here is told by Close; what fails in writing already by the Flush before.
  void AddAttribute(const std::string& name, const std::string& text);
  // The number of the column.
  size_t AddColumn(const Column& column);
  // Whole rows of a column of that type.
  void Append(size_t column, std::span<const double> numbers);
  void Append(size_t column, std::span<const int64_t> integers);
  void AppendHash(size_t column, uint64_t hash);
  // Cut to 64 letters.
  void AppendName(size_t column, const std::string& name);

  // Writes the columns of which much waits.
  client::Result<client::Done> Flush();
  // Writes what waits, ends the file and forces it to the disk.
  client::Result<client::Done> Close();

 private:
  struct Dataset;
  Hdf5Columns(std::string path, int64_t file);

  client::Error WriteError() const;
  void WriteWaiting(Dataset* dataset);

  std::string path_;
  int64_t file_ = -1;
  bool failed_ = false;
  std::vector<Dataset> datasets_;
};

}  // namespace talus::cli
