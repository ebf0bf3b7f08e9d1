// What lies on the disk or comes as an upload: snapshots, the files they stand in, recordings.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "server/storage/mcap_reader.h"
#include "server/storage/sealed_file.h"
#include "server/wire/recording_codec.h"
#include "solver/base/check.h"
#include "solver/base/state_hash.h"
#include "solver/world/world.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

constexpr int64_t kMostBytes = 1 << 20;
constexpr size_t kSnapshotHead = 20;  // "TALUSNAP", version, payload bytes
constexpr size_t kSealSize = 8;

void PutNumber(uint64_t value, size_t at, std::string& bytes) {
  for (size_t byte = 0; byte < 8; ++byte) bytes[at + byte] = static_cast<char>(value >> (8 * byte));
}

// The same bytes with a length and a seal that fit, so that what is between them is looked at.
std::string Reseal(std::string_view bytes) {
  std::string sealed(bytes);
  if (sealed.size() < kSnapshotHead + kSealSize) return sealed;
  PutNumber(sealed.size() - kSnapshotHead - kSealSize, kSnapshotHead - 8, sealed);
  const size_t end = sealed.size() - kSealSize;
  PutNumber(HashBytes(std::string_view(sealed).substr(0, end)), end, sealed);
  return sealed;
}

// The same file with digests that fit.
std::string Redigest(std::string_view bytes) {
  std::string file(bytes);
  if (file.size() < kSnapshotHeaderSize) return file;
  const std::string_view content = std::string_view(file).substr(kSnapshotHeaderSize);
  PutNumber(content.size(), 40, file);
  PutNumber(DigestOf(content), 48, file);
  PutNumber(DigestOf(std::string_view(file).substr(0, kSnapshotHeaderSize - 8)),
            kSnapshotHeaderSize - 8, file);
  return file;
}

// A file of this process that goes with it.
class ScratchFile {
 public:
  ScratchFile()
      : path_(
            (std::filesystem::temp_directory_path() / ("talus-fuzz-" + std::to_string(::getpid())))
                .string()) {}
  ~ScratchFile() { std::remove(path_.c_str()); }

  const std::string& Write(std::string_view bytes) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    TALUS_CHECK(file.good());
    return path_;
  }

 private:
  const std::string path_;
};

ScratchFile& Scratch() {
  static ScratchFile file;
  return file;
}

void TrySnapshot(std::string_view bytes) {
  absl::StatusOr<World> world = World::Restore(bytes);
  if (!world.ok()) return CheckRefusal(world.status());
  // What passes is a state a scene can be in: it saves to the same bytes, and goes on.
  TALUS_CHECK(world->SaveSnapshot() == bytes);
  if (world->settings().solver.max_sweeps > 100) return;
  const absl::Status stepped = StepFew(*world, {});
  if (!stepped.ok()) CheckRefusal(stepped);
  CheckSnapshotOf(*world);
}

}  // namespace

void FeedSnapshot(std::string_view bytes) {
  TrySnapshot(bytes);
  const std::string sealed = Reseal(bytes);
  if (sealed != bytes) TrySnapshot(sealed);
}

void FeedSealedFile(std::string_view bytes) {
  for (const std::string& file : {std::string(bytes), Redigest(bytes)}) {
    const auto read = ReadSealedFile(Scratch().Write(file), "snapshots/fuzz", kMostBytes);
    if (!read.ok()) {
      CheckRefusal(read.status());
      continue;
    }
    TALUS_CHECK(read->bytes == std::string_view(file).substr(kSnapshotHeaderSize));
    TALUS_CHECK(read->header.byte_size == read->bytes.size());
    const auto encoded = EncodeHeader(read->header);
    const auto again = DecodeHeader({encoded.data(), encoded.size()});
    TALUS_CHECK(again.has_value() && again->state_hash == read->header.state_hash);
  }
}

void FeedRecording(std::string_view bytes) {
  auto reader = McapReader::Open(Scratch().Write(bytes));
  if (!reader.ok()) return CheckRefusal(reader.status());
  const wire::ProtobufRecordingCodec codec;
  // Each record takes bytes of the file or of a chunk, so that this ends.
  while (true) {
    const absl::StatusOr<McapItem> item = reader->Next();
    if (!item.ok()) return CheckRefusal(item.status());
    if (item->kind == McapItem::Kind::kEnd) return;
    if (item->kind != McapItem::Kind::kMessage) continue;
    const absl::StatusOr<InputRecord> input = codec.DecodeInput(item->data);
    if (!input.ok()) CheckRefusal(input.status());
  }
}

}  // namespace talus::fuzz
