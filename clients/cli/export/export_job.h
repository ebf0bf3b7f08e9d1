// One export from a recording in a file to one of the formats: what was asked for is compared with
// what was recorded, then moment after moment is read and written. It knows no server.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "clients/cli/export/export_target.h"

namespace talus::cli {

enum class ExportFormat { kCsv, kHdf5, kVtk };

struct ExportOptions {
  std::string recording;  // a file
  std::string source;     // what the user calls it
  ExportFormat format = ExportFormat::kCsv;
  std::optional<ExportTables> tables;  // unset: all that were recorded and the format can hold
  MomentChoice choice;
  ExportPlace place;
  std::function<bool()> interrupted = [] { return false; };
};

struct ExportSummary {
  ExportTables tables;
  int64_t moments = 0;
  int64_t body_rows = 0;
  int64_t contact_rows = 0;
  int64_t first_step_index = -1;  // -1: no moment
  int64_t last_step_index = -1;
  double first_time_s = 0;
  double last_time_s = 0;
  // Not empty: the recording ends before its end, and why; all before that was exported.
  std::string cut_short;
};

// kCancelled: interrupted, nothing was left behind. kInvalidArgument: what was asked for was not
// recorded. kAlreadyExists: something is at the place. kNotFound: no such file, or no such body.
client::Result<ExportSummary> Export(const ExportOptions& options);

}  // namespace talus::cli
