#include "clients/cli/recording_download.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "clients/cli/progress_line.h"

namespace talus::cli {

client::Result<int64_t> DownloadRecordingFile(client::Client& client, const std::string& recording,
                                              const std::string& path,
                                              const client::CallOptions& options) {
  const auto file_error = [](const std::string& place) {
    client::Error error;
    error.message = "cannot write " + place + ": " + std::strerror(errno);
    return error;
  };
  const std::string beside = path + ".tmp";
  std::FILE* file = std::fopen(beside.c_str(), "wbe");
  if (file == nullptr) return file_error(beside);
  v1::DownloadRecordingRequest request;
  request.set_recording(recording);
  auto stream = client.DownloadRecording(request, options);
  ProgressLine progress("downloading " + recording);
  bool written = true;
  int64_t bytes = 0;
  uint64_t all = 0;
  while (const auto chunk = stream.Read()) {
    const std::string& part = chunk->chunk();
    if (chunk->has_recording()) all = static_cast<uint64_t>(chunk->recording().byte_size());
    written = std::fwrite(part.data(), 1, part.size(), file) == part.size();
    if (!written) break;
    bytes += static_cast<int64_t>(part.size());
    progress.Show(static_cast<uint64_t>(bytes), all);
  }
  const auto ended = written ? stream.Finish() : client::Result<client::Done>(client::Done{});
  written = written && std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
  int write_errno = errno;
  std::fclose(file);
  if (ended && written) {
    if (std::rename(beside.c_str(), path.c_str()) == 0) return bytes;
    write_errno = errno;
  }
  ::unlink(beside.c_str());
  if (!ended) return ended.error();
  errno = write_errno;
  return file_error(path);
}

}  // namespace talus::cli
