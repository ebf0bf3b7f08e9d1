#include "clients/cli/export/pending_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace talus::cli {
namespace {

namespace fs = std::filesystem;

client::Error FileError(const std::string& what, const std::string& path, int code) {
  client::Error error;
  error.message = what + " " + path + ": " + std::strerror(code);
  return error;
}

// The rename itself must reach the disk too.
void SyncFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

client::Result<std::unique_ptr<PendingOutput>> PendingOutput::Begin(const std::string& path,
                                                                    Kind kind, bool replace) {
  // `out/` means the folder `out`.
  std::string place = path;
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  std::error_code failed;
  const fs::file_status there = fs::symlink_status(place, failed);
  if (fs::exists(there)) {
    client::Error error;
    error.code = client::Code::kAlreadyExists;
    const bool is_folder = fs::is_directory(there);
    if (is_folder != (kind == Kind::kFolder)) {
      error.message = place + (is_folder ? " is a folder, and a file is to be written"
                                         : " is a file, and a folder is to be written");
      return error;
    }
    if (!replace) {
      error.message = place + " exists already; --force replaces it";
      return error;
    }
  }
  const std::string beside = place + ".tmp";
  fs::remove_all(beside, failed);  // of an export that was killed
  if (kind == Kind::kFolder && !fs::create_directory(beside, failed)) {
    return FileError("cannot make the folder", beside, failed.value());
  }
  return std::unique_ptr<PendingOutput>(new PendingOutput(place, beside));
}

PendingOutput::~PendingOutput() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(beside_, ignored);
}

client::Result<client::Done> PendingOutput::Commit() {
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

client::Result<TextFile> TextFile::Create(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return FileError("cannot write", path, errno);
  return TextFile(path, file);
}

client::Result<client::Done> TextFile::Write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return FileError("cannot write", path_, errno);
  }
  return client::Done{};
}

client::Result<client::Done> TextFile::Close() {
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) {
    return FileError("cannot write", path_, errno);
  }
  file_.reset();
  return client::Done{};
}

}  // namespace talus::cli
