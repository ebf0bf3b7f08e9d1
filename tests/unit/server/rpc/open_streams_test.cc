#include "server/rpc/open_streams.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace talus::rpc {
namespace {

struct Stream {
  void End(const absl::Status& status) { ends.push_back(status); }
  std::vector<absl::Status> ends;
};

void ExpectEndedByADrain(const Stream& stream) {
  ASSERT_EQ(stream.ends.size(), 1u);
  EXPECT_EQ(stream.ends[0].code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FindErrorInfo(stream.ends[0]).reason, ErrorReason::kDraining);
}

TEST(OpenStreams, AreEndedAllAndSoAreThoseThatComeLater) {
  OpenStreams<Stream> streams;
  const auto first = std::make_shared<Stream>();
  const auto second = std::make_shared<Stream>();
  streams.Add(first);
  streams.Add(second);
  EXPECT_TRUE(first->ends.empty());
  streams.EndAll();
  ExpectEndedByADrain(*first);
  ExpectEndedByADrain(*second);
  const auto late = std::make_shared<Stream>();
  streams.Add(late);
  ExpectEndedByADrain(*late);
  EXPECT_EQ(first->ends.size(), 1u);
}

TEST(OpenStreams, ThoseThatAreGoneAreLeftAlone) {
  OpenStreams<Stream> streams;
  const auto removed = std::make_shared<Stream>();
  streams.Add(removed);
  streams.Remove(removed.get());
  streams.Add(std::make_shared<Stream>());  // gone without a word
  streams.EndAll();
  EXPECT_TRUE(removed->ends.empty());
}

}  // namespace
}  // namespace talus::rpc
