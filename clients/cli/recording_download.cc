#include "clients/cli/recording_download.h"

#include "clients/cli/output_file.h"
#include "clients/cli/pending_output.h"
#include "clients/cli/progress_line.h"

namespace talus::cli {

client::Result<int64_t> DownloadRecordingFile(client::Client& client, const std::string& recording,
                                              const std::string& path,
                                              const client::CallOptions& options) {
  auto output = PendingOutput::Begin(path, PendingOutput::Kind::kFile, true);
  if (!output) return MakeError(client::Code::kUnknown, output.error().message);
  auto file = OutputFile::Create((*output)->beside());
  if (!file) return file.error();
  v1::DownloadRecordingRequest request;
  request.set_recording(recording);
  auto stream = client.DownloadRecording(request, options);
  ProgressLine progress("downloading " + recording);
  int64_t bytes = 0;
  uint64_t all = 0;
  while (const auto chunk = stream.Read()) {
    const auto written = file->Write(chunk->chunk());
    if (!written) return written.error();
    if (chunk->has_recording()) all = static_cast<uint64_t>(chunk->recording().byte_size());
    bytes += static_cast<int64_t>(chunk->chunk().size());
    progress.Show(static_cast<uint64_t>(bytes), all);
  }
  const auto ended = stream.Finish();
  if (!ended) return ended.error();
  const auto closed = file->Close();
  if (!closed) return closed.error();
  const auto taken = (*output)->Commit();
  if (!taken) return taken.error();
  return bytes;
}

}  // namespace talus::cli
