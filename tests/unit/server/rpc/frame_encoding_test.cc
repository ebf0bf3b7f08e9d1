// Watchers with the same view share one encoding; what differs between them does not disturb it.
#include "server/rpc/frame_encoding.h"

#include <grpcpp/support/slice.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "talus/v1/stream_service.pb.h"

namespace talus::rpc {
namespace {

const wire::FrameView kPositions = {.parts = {.positions = true}, .layout = false};

std::shared_ptr<FrameData> MakeFrame() {
  auto frame = std::make_shared<FrameData>();
  auto layout = std::make_shared<Layout>();
  layout->version = 5;
  layout->body_ids.assign(100, 1);
  frame->layout = layout;
  frame->step_index = 42;
  frame->positions_world_m.assign(300, 1.5);
  return frame;
}

std::vector<grpc::Slice> SlicesOf(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  return slices;
}

v1::WatchStateResponse Parse(const grpc::ByteBuffer& buffer) {
  std::string bytes;
  for (const grpc::Slice& slice : SlicesOf(buffer)) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  v1::WatchStateResponse response;
  EXPECT_TRUE(response.ParseFromString(bytes));
  return response;
}

TEST(FrameEncoding, TwoWatchersWithOneViewShareTheBytes) {
  const auto frame = MakeFrame();
  const grpc::ByteBuffer one = EncodeWatchResponse(*frame, kPositions, 0);
  const grpc::ByteBuffer two = EncodeWatchResponse(*frame, kPositions, 7);
  EXPECT_EQ(SlicesOf(one)[0].begin(), SlicesOf(two)[0].begin());
  EXPECT_EQ(Parse(one).dropped_since_last(), 0);
  EXPECT_EQ(Parse(two).dropped_since_last(), 7);
  EXPECT_EQ(Parse(one).frame().SerializeAsString(), Parse(two).frame().SerializeAsString());
  EXPECT_EQ(Parse(one).frame().bodies().positions_world_m_size(), 300);
}

TEST(FrameEncoding, AnotherViewHasBytesOfItsOwn) {
  const auto frame = MakeFrame();
  const auto without = Parse(EncodeWatchResponse(*frame, kPositions, 0));
  wire::FrameView with_layout = kPositions;
  with_layout.layout = true;
  const auto with = Parse(EncodeWatchResponse(*frame, with_layout, 0));
  EXPECT_FALSE(without.frame().has_layout());
  EXPECT_EQ(with.frame().layout().body_ids_size(), 100);
}

TEST(FrameEncoding, TheBytesOutliveTheFrame) {
  auto frame = MakeFrame();
  const grpc::ByteBuffer buffer = EncodeWatchResponse(*frame, kPositions, 3);
  frame.reset();
  EXPECT_EQ(Parse(buffer).frame().step_index(), 42);
}

TEST(FrameEncoding, ManyThreadsGetTheSameBytes) {
  const auto frame = MakeFrame();
  std::vector<const uint8_t*> begins(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < begins.size(); ++i) {
    threads.emplace_back(
        [&, i] { begins[i] = SlicesOf(EncodeWatchResponse(*frame, kPositions, 0))[0].begin(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint8_t* begin : begins) EXPECT_EQ(begin, begins[0]);
}

}  // namespace
}  // namespace talus::rpc
