#include "clients/cli/pending_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;

// The rename itself must reach the disk too.
void SyncFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// What the links from `place` on lead to, be it there or not; a link where they go round.
fs::path FollowLinks(fs::path place) {
  constexpr int kMostLinks = 40;
  std::error_code failed;
  for (int link = 0; link < kMostLinks && fs::is_symlink(fs::symlink_status(place, failed));
       ++link) {
    // An absolute target takes the place of the whole path.
    place = place.parent_path() / fs::read_symlink(place, failed);
  }
  return place;
}

}  // namespace

client::Result<std::unique_ptr<PendingOutput>> PendingOutput::Begin(const std::string& path,
                                                                    Kind kind, bool replace) {
  // `out/` means the folder `out`.
  std::string place = path;
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  std::error_code failed;
  if (fs::is_other(fs::status(place, failed)) && kind == Kind::kFile) {
    return std::unique_ptr<PendingOutput>(new PendingOutput(place, place, kind));
  }
  place = FollowLinks(place).string();
  const fs::file_status there = fs::symlink_status(place, failed);
  if (fs::is_symlink(there)) return FileError("cannot write", path, ELOOP);
  if (fs::exists(there)) {
    const bool is_folder = fs::is_directory(there);
    if (is_folder != (kind == Kind::kFolder)) {
      return MakeError(client::Code::kAlreadyExists,
                       place + (is_folder ? " is a folder, and a file is to be written"
                                          : " is a file, and a folder is to be written"));
    }
    if (!replace) {
      return MakeError(client::Code::kAlreadyExists,
                       place + " exists already; --force replaces it");
    }
  }
  const std::string beside = place + ".tmp";
  if (kind == Kind::kFolder) {
    fs::remove_all(beside, failed);
    if (!fs::create_directory(beside, failed)) {
      return FileError("cannot make the folder", beside, failed.value());
    }
  }
  return std::unique_ptr<PendingOutput>(new PendingOutput(place, beside, kind));
}

PendingOutput::~PendingOutput() {
  std::error_code ignored;
  if (committed_ || beside_ == path_) return;
  // Never more than was made here: a folder of somebody else's where a file was to be stays.
  if (kind_ == Kind::kFolder) {
    fs::remove_all(beside_, ignored);
  } else if (!fs::is_directory(beside_, ignored)) {
    fs::remove(beside_, ignored);
  }
}

client::Result<client::Done> PendingOutput::Commit() {
  if (beside_ == path_) return client::Done{};
  std::error_code failed;
  const std::string old = path_ + ".old";
  // A folder cannot be renamed onto one that holds something.
  const bool folder_there = fs::is_directory(path_, failed);
  if (folder_there) {
    fs::remove_all(old, failed);
    fs::rename(path_, old, failed);
    if (failed) return FileError("cannot move away", path_, failed.value());
  }
  SyncFolder(beside_);
  fs::rename(beside_, path_, failed);
  if (failed) {
    std::error_code ignored;
    if (folder_there) fs::rename(old, path_, ignored);
    return FileError("cannot rename to", path_, failed.value());
  }
  committed_ = true;
  SyncFolder(fs::absolute(path_).parent_path());
  if (folder_there) fs::remove_all(old, failed);
  return client::Done{};
}

}  // namespace talus::cli
