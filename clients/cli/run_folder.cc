#include "clients/cli/run_folder.h"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "clients/cli/context.h"
#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

using client::Done;
using client::Error;
using client::Result;

template <typename Record>
Result<Record> ReadRecord(const std::string& path) {
  auto text = ReadFile(path);
  if (!text) return text.error();
  Record record;
  const auto status = google::protobuf::util::JsonStringToMessage(*text, &record);
  if (!status.ok()) {
    return MakeError(client::Code::kDataLoss, path + " is damaged: " + status.ToString());
  }
  return record;
}

template <typename Record>
Result<Done> WriteRecord(const std::string& path, const Record& record) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(record, &text, options);
  if (!status.ok()) return MakeError(client::Code::kInternal, status.ToString());
  return WriteFileAtomically(path, text);
}

// The first difference, in words.
std::string Difference(const record::RunIdentity& there, const record::RunIdentity& asked) {
  google::protobuf::util::MessageDifferencer differencer;
  std::string report;
  differencer.ReportDifferencesToString(&report);
  if (differencer.Compare(there, asked)) return "";
  return report.substr(0, report.find('\n'));
}

}  // namespace

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      last_(std::move(other.last_)) {}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

Result<RunFolder> RunFolder::Open(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) {
    return MakeError(client::Code::kUnknown, "cannot make " + path + ": " + failure.message());
  }
  const std::string lock_path = path + "/.lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) {
    return MakeError(client::Code::kUnknown,
                     "cannot write in " + path + ": " + std::strerror(errno));
  }
  RunFolder folder(path, lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    return MakeError(client::Code::kAborted, "another run is at work in " + path);
  }
  return folder;
}

Result<Done> RunFolder::Claim(const record::RunIdentity& identity) {
  const std::string path = PathOf("run.json");
  auto there = ReadRecord<record::RunIdentity>(path);
  if (there) {
    const std::string difference = Difference(*there, identity);
    if (difference.empty()) return Done{};
    return MakeError(client::Code::kFailedPrecondition,
                     path_ + " holds a run that is another one (" + difference +
                         "): give another --out or the same scene, seed and options");
  }
  if (there.code() != client::Code::kNotFound) return there.error();
  for (const char* file : {"frames.binpb", "snapshot.bin", "summary.json", "contacts.csv"}) {
    std::error_code ignored;
    if (std::filesystem::exists(PathOf(file), ignored)) {
      return MakeError(client::Code::kFailedPrecondition,
                       path_ + " holds " + file + " but no run.json: give another --out");
    }
  }
  return WriteRecord(path, identity);
}

Result<std::optional<record::RunSummary>> RunFolder::FindFinished() const {
  auto summary = ReadRecord<record::RunSummary>(PathOf("summary.json"));
  if (!summary && summary.code() != client::Code::kNotFound) return summary.error();
  if (!summary || summary->outcome() == "interrupted") return std::optional<record::RunSummary>();
  return std::optional<record::RunSummary>(std::move(*summary));
}

Result<Done> RunFolder::WriteSummary(const record::RunSummary& summary) const {
  return WriteRecord(PathOf("summary.json"), summary);
}

Result<std::optional<RunFolder::Saved>> RunFolder::LoadSaved() const {
  auto snapshot = ReadFile(PathOf("snapshot.bin"));
  if (!snapshot && snapshot.code() == client::Code::kNotFound) return std::optional<Saved>();
  if (!snapshot) return snapshot.error();
  auto progress = ReadRecord<record::RunProgress>(PathOf("progress.json"));
  if (!progress) return progress.error();
  return std::optional<Saved>(Saved{std::move(*snapshot), std::move(*progress)});
}

Result<Done> RunFolder::Save(const std::string& snapshot, const record::RunCheckpoint& checkpoint) {
  // Until the snapshot is in place the older checkpoint is the one that counts.
  record::RunProgress progress;
  if (last_) *progress.add_checkpoints() = *last_;
  *progress.add_checkpoints() = checkpoint;
  auto written = WriteRecord(PathOf("progress.json"), progress);
  if (!written) return written;
  written = WriteFileAtomically(PathOf("snapshot.bin"), snapshot);
  if (!written) return written;
  last_ = checkpoint;
  return Done{};
}

}  // namespace talus::cli
