// What the writer writes the reader reads, whole or cut off anywhere. tests/integration/recording
// reads the same files with the reader of the format's own project.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/storage/mcap_format.h"
#include "server/storage/mcap_reader.h"
#include "server/storage/mcap_writer.h"

namespace talus {
namespace {

using Kind = McapItem::Kind;

struct Seen {
  std::vector<std::string> items;  // "topic: data" and the like
  bool truncated = false;
  absl::Status status;
};

class McapTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "talus-mcap-" + std::to_string(getpid()) + ".mcap";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Seen Read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    Seen seen;
    auto reader = McapReader::Open(path_);
    seen.status = reader.status();
    while (seen.status.ok()) {
      const auto item = reader->Next();
      seen.status = item.status();
      if (!item.ok() || item->kind == Kind::kEnd) break;
      std::string line = item->name;
      line.append(": ").append(item->data);
      for (const auto& [key, value] : item->metadata) {
        line.append(key).append("=").append(value).append(";");
      }
      seen.items.push_back(line);
    }
    if (reader.ok()) seen.truncated = reader->truncated();
    return seen;
  }

  std::string path_;
};

// Three chunks, an attachment and metadata between them.
std::string MakeFile(std::vector<size_t>* record_ends = nullptr) {
  McapWriter writer("", "test", 200);
  std::string file;
  const auto take = [&] {
    file += writer.TakeBytes();
    if (record_ends != nullptr) record_ends->push_back(file.size());
  };
  writer.AddMetadata("begin", {{"a", "1"}, {"b", ""}});
  const uint16_t schema = writer.AddSchema("S", "protobuf", "schema");
  const uint16_t one = writer.AddChannel("/one", schema, "protobuf", {{"k", "v"}});
  const uint16_t two = writer.AddChannel("/two", schema, "protobuf");
  writer.AddAttachment("start", "text/plain", 5, "attached");
  take();
  for (int index = 0; index < 10; ++index) {
    writer.AddMessage(index % 3 == 0 ? two : one, 1000 + 10 * index, std::to_string(index));
    take();
  }
  writer.AddMetadata("end", {{"c", "2"}});
  writer.Finish();
  take();
  EXPECT_EQ(static_cast<int64_t>(file.size()), writer.size());
  return file;
}

TEST_F(McapTest, WhatIsWrittenIsReadInOrder) {
  const Seen seen = Read(MakeFile());
  ASSERT_TRUE(seen.status.ok()) << seen.status;
  EXPECT_FALSE(seen.truncated);
  EXPECT_EQ(seen.items,
            (std::vector<std::string>{"begin: a=1;b=;", "start: attached", "/two: 0", "/one: 1",
                                      "/one: 2", "/two: 3", "/one: 4", "/one: 5", "/two: 6",
                                      "/one: 7", "/one: 8", "/two: 9", "end: c=2;"}));
}

TEST_F(McapTest, AFileCutOffAnywhereIsReadUpToThere) {
  std::vector<size_t> ends;
  const std::string file = MakeFile(&ends);
  const Seen whole = Read(file);
  size_t most = 0;
  for (size_t size = mcap::kMagic.size(); size < file.size(); ++size) {
    const Seen seen = Read(file.substr(0, size));
    ASSERT_TRUE(seen.status.ok()) << "cut to " << size << ": " << seen.status;
    ASSERT_TRUE(seen.truncated) << "cut to " << size;
    ASSERT_GE(seen.items.size(), most);
    most = seen.items.size();
    ASSERT_LE(most, whole.items.size());
    for (size_t index = 0; index < seen.items.size(); ++index) {
      ASSERT_EQ(seen.items[index], whole.items[index]);
    }
  }
  EXPECT_EQ(most, whole.items.size());
  for (size_t size = 0; size < mcap::kMagic.size(); ++size) {
    EXPECT_EQ(Read(file.substr(0, size)).status.code(), absl::StatusCode::kDataLoss);
  }
}

TEST_F(McapTest, ADamagedByteIsAnErrorOrChangesNothing) {
  const std::string file = MakeFile();
  std::mt19937 random(7);
  int found = 0;
  for (size_t index = mcap::kMagic.size(); index < file.size(); ++index) {
    std::string bad = file;
    bad[index] = static_cast<char>(bad[index] ^ (1 << (random() % 8)));
    const Seen seen = Read(bad);  // must end, and not by a crash
    if (!seen.status.ok()) {
      ++found;
      EXPECT_EQ(FindErrorInfo(seen.status).reason, ErrorReason::kBadRecording);
    }
    for (const std::string& item : seen.items) {
      // Payloads are under a CRC; the names and metadata before them are not.
      const size_t colon = item.rfind(": ");
      if (item[0] != '/' || colon == std::string::npos) continue;
      EXPECT_EQ(item.size(), colon + 3) << item;
      EXPECT_TRUE(item.back() >= '0' && item.back() <= '9') << item;
    }
  }
  EXPECT_GT(found, 100);
}

TEST_F(McapTest, ALengthThatLiesIsNoAllocation) {
  std::string file(mcap::kMagic);
  mcap::Put(mcap::kAttachment, &file);
  mcap::Put(~uint64_t{0}, &file);
  const Seen seen = Read(file + "rest");
  EXPECT_TRUE(seen.status.ok());
  EXPECT_TRUE(seen.truncated);
  std::string chunk;
  mcap::Put(uint64_t{0}, &chunk);
  mcap::Put(uint64_t{0}, &chunk);
  mcap::Put(uint64_t{1} << 60, &chunk);
  mcap::Put(uint32_t{0}, &chunk);
  mcap::PutString("zstd", &chunk);
  mcap::Put(uint64_t{0}, &chunk);
  file = mcap::kMagic;
  mcap::Put(mcap::kChunk, &file);
  mcap::Put(static_cast<uint64_t>(chunk.size()), &file);
  EXPECT_EQ(Read(file + chunk).status.code(), absl::StatusCode::kDataLoss);
}

TEST_F(McapTest, ALengthThatTheFileHasRoomForIsNoAllocationEither) {
  for (const uint8_t opcode : {mcap::kAttachment, mcap::kMetadata, mcap::kChunk}) {
    std::string file(mcap::kMagic);
    mcap::Put(opcode, &file);
    mcap::Put(static_cast<uint64_t>(McapReader::kMostRecordBytes) + 1, &file);
    std::ofstream(path_, std::ios::binary) << file;
    std::filesystem::resize_file(path_, 2 * McapReader::kMostRecordBytes);  // with a hole
    auto reader = McapReader::Open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status();
    const auto item = reader->Next();
    ASSERT_TRUE(item.ok()) << item.status();
    EXPECT_EQ(item->kind, Kind::kEnd);
    EXPECT_TRUE(reader->truncated());
  }
}

TEST_F(McapTest, WhatIsPassedOverIsNotRead) {
  std::string file(mcap::kMagic);
  mcap::Put(mcap::kHeader, &file);
  const size_t head = file.size() + sizeof(uint64_t);
  mcap::Put(static_cast<uint64_t>(2 * McapReader::kMostRecordBytes) - head, &file);
  std::ofstream(path_, std::ios::binary) << file;
  std::filesystem::resize_file(path_, 2 * McapReader::kMostRecordBytes);
  std::ofstream(path_, std::ios::binary | std::ios::app) << MakeFile().substr(mcap::kMagic.size());
  auto reader = McapReader::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto item = reader->Next();
  ASSERT_TRUE(item.ok()) << item.status();
  EXPECT_EQ(item->name, "begin");
}

TEST_F(McapTest, ALinkIsNotFollowedAndAPipeNotWaitedOn) {
  const std::string target = path_ + ".target";
  std::ofstream(target, std::ios::binary) << MakeFile();
  std::filesystem::create_symlink(target, path_);
  EXPECT_EQ(McapReader::Open(path_).status().code(), absl::StatusCode::kUnavailable);
  std::filesystem::remove(target);
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(McapReader::Open(path_).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(McapTest, TheEndIsNoLongerThanItSays) {
  std::mt19937 random(3);
  for (const size_t chunk_bytes : {size_t{64}, size_t{4096}, size_t{1} << 20}) {
    McapWriter writer("", "test", chunk_bytes);
    const uint16_t schema = writer.AddSchema("S", "protobuf", std::string(1000, 's'));
    std::vector<uint16_t> channels;
    for (int index = 0; index < 5; ++index) {
      channels.push_back(writer.AddChannel(std::to_string(index), schema, "protobuf"));
    }
    for (int index = 0; index < 2000; ++index) {
      std::string data(random() % 40, '\0');
      for (char& c : data) c = static_cast<char>(random());  // does not compress
      writer.AddMessage(channels[random() % 5], random(), data);
    }
    const int64_t before = writer.size();
    const int64_t most = writer.most_rest();
    writer.Finish();
    EXPECT_LE(writer.size() - before, most) << chunk_bytes;
  }
}

}  // namespace
}  // namespace talus
