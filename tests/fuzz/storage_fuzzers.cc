// What lies on the disk or comes as an upload: snapshots and the files they stand in.
#include <string>
#include <utility>

#include "server/storage/sealed_file.h"
#include "solver/base/check.h"
#include "solver/base/state_hash.h"
#include "solver/world/world.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/scratch_file.h"

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

void FeedLastStep(std::string_view bytes) {
  World world = MakeSmallWorld();
  TALUS_CHECK(StepFew(world, {}).ok());
  const uint64_t before = world.state_hash();
  LastStep last = world.SaveLastStep();
  last.contacts = std::string(bytes);
  const absl::Status restored = world.RestoreLastStep(std::move(last));
  if (!restored.ok()) return CheckRefusal(restored);
  TALUS_CHECK(world.SaveLastStep().contacts == bytes);
  TALUS_CHECK(world.state_hash() == before);
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

}  // namespace talus::fuzz
