// The folder of one run: who it belongs to, where it can be resumed from, and what came out. Stands
// between the run and the file system. Promises that one process at a time works in it, that a kill
// at any moment leaves a folder that can be resumed, and that a folder of another run is left
// alone. It does not know servers or steps.
//
//   run.json       the run's identity, written first
//   frames.binpb   recorded frames (clients/cpp/frame_file.h)
//   progress.json  checkpoints: how much of frames.binpb belongs to the snapshot, and the sums so
//   far snapshot.bin   the snapshot itself, as CreateScene takes it; replaced after progress.json
//   contacts.csv   the contacts of the last step
//   summary.json   written last: the run is over
//   server.log     log of the private server
#pragma once

#include <optional>
#include <string>

#include "clients/cli/run_record.pb.h"
#include "clients/cpp/result.h"

namespace talus::cli {

class RunFolder {
 public:
  // Makes the folder if it is not there and locks it. kAborted when another process works in it.
  static client::Result<RunFolder> Open(const std::string& path);

  // Writes the identity into a new folder; kFailedPrecondition, saying what differs, when the
  // folder holds another run.
  client::Result<client::Done> Claim(const record::RunIdentity& identity);

  // The summary of a run that is over; nothing while it can go on.
  client::Result<std::optional<record::RunSummary>> FindFinished() const;
  client::Result<client::Done> WriteSummary(const record::RunSummary& summary) const;

  struct Saved {
    std::string snapshot;
    record::RunProgress progress;
  };
  // What the last Save left; nothing when there was none.
  client::Result<std::optional<Saved>> LoadSaved() const;
  // The checkpoint that belongs to the snapshot LoadSaved gave. The next Save keeps it until the
  // new snapshot is in place.
  void GoOnFrom(const record::RunCheckpoint& checkpoint) { last_ = checkpoint; }
  // The frames must be on the disk already.
  client::Result<client::Done> Save(const std::string& snapshot,
                                    const record::RunCheckpoint& checkpoint);

  std::string PathOf(const std::string& file) const { return path_ + "/" + file; }

  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();

 private:
  RunFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;
  std::optional<record::RunCheckpoint> last_;  // that of the snapshot.bin now in place
};

}  // namespace talus::cli
