// Where recorded moments go: one implementation a format. A target writes beside its place and
// takes it in Finish; without that nothing is left of it.
#pragma once

#include <memory>
#include <string>

#include "clients/cli/export/moment_reader.h"
#include "clients/cpp/result.h"

namespace talus::cli {

// What of the moments is written; only what was recorded may be asked for.
struct ExportTables {
  bool bodies = false;
  bool contacts = false;
  bool diagnostics = false;
};

struct ExportPlace {
  std::string path;
  bool replace = false;
};

class ExportTarget {
 public:
  virtual ~ExportTarget() = default;
  virtual client::Result<client::Done> Add(const Moment& moment) = 0;
  virtual client::Result<client::Done> Finish() = 0;
};

using ExportTargetResult = client::Result<std::unique_ptr<ExportTarget>>;

// A folder with a file a table: bodies.csv, contacts.csv, diagnostics.csv. With one table and a
// path that ends in `.csv` that file alone. Numbers have the digits that give the same bits back.
ExportTargetResult MakeCsvTarget(const ExportPlace& place, const ExportTables& tables);
// One HDF5 file; hdf5_target.cc says what is in it.
ExportTargetResult MakeHdf5Target(const ExportPlace& place, const ExportTables& tables,
                                  const std::string& source);
// A folder with a VTK XML PolyData file a moment and a ParaView collection a table; of bodies and
// contacts only.
ExportTargetResult MakeVtkTarget(const ExportPlace& place, const ExportTables& tables);

}  // namespace talus::cli
