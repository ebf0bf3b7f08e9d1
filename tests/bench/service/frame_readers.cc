// talus_frame_readers: watchers of a scene or readers of the bare echo, for reader_program.h.
//
// Reads a line `ADDRESS SCENE LIVE STALLED NUMBERS ECHOES ECHO_BYTES` on standard input and prints
// `ready` when each has its first frame; then a line `close`, and prints the fewest frames that a
// live one got. And so on until standard input ends. Exits with 1 when a reader fails.
#include <malloc.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/service/echo_reader.h"
#include "tests/bench/service/reader_program.h"
#include "tests/bench/service/server_pair.h"

namespace talus::bench {
namespace {

using ReaderList = std::vector<std::unique_ptr<FrameReader>>;

ReaderList OpenAll(const Readers& readers) {
  ReaderList opened;
  for (int k = 0; k < readers.live + readers.stalled; ++k) {
    opened.push_back(std::make_unique<Watcher>(OpenChannel(readers.address), readers.scene,
                                               Watching{k < readers.live, readers.numbers}));
  }
  for (int k = 0; k < readers.echoes; ++k) {
    opened.push_back(
        std::make_unique<EchoReader>(OpenChannel(readers.address), readers.echo_bytes));
  }
  return opened;
}

// The fewest frames of a live one; -1 where none is.
absl::StatusOr<int64_t> EndAll(const ReaderList& opened) {
  int64_t fewest = -1;
  for (const std::unique_ptr<FrameReader>& reader : opened) {
    if (absl::Status end = reader->End(); !end.ok()) return end;
    if (!reader->live()) continue;
    fewest = fewest < 0 ? reader->frames() : std::min(fewest, reader->frames());
  }
  return fewest;
}

// As docs/OPERATIONS.md advises who gets large frames: the C library would give the memory they
// come in back to the system, which would clear it page by page for the next.
void KeepMemory() {
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int Run() {
  KeepMemory();
  Readers readers;
  int numbers = 0;
  std::string close;
  while (std::cin >> readers.address >> readers.scene >> readers.live >> readers.stalled >>
         numbers >> readers.echoes >> readers.echo_bytes) {
    readers.numbers = static_cast<Numbers>(numbers);
    const ReaderList opened = OpenAll(readers);
    std::cout << "ready" << std::endl;
    std::cin >> close;
    const absl::StatusOr<int64_t> fewest = EndAll(opened);
    if (!fewest.ok()) {
      std::cerr << "talus_frame_readers: " << fewest.status().message() << '\n';
      return 1;
    }
    std::cout << *fewest << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace talus::bench

int main() { return talus::bench::Run(); }
