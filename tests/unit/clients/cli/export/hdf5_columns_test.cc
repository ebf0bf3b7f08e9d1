#include "clients/cli/export/hdf5_columns.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/unit/clients/cli/export/hdf5_file.h"
#include "tests/unit/clients/cli/export/recorded_moments.h"

namespace talus::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Type = Hdf5Columns::Type;

class Hdf5ColumnsTest : public ExportTest {
 protected:
  void SetUp() override {
    ExportTest::SetUp();
    auto created = Hdf5Columns::Create(PathOf("a.h5"));
    ASSERT_TRUE(created) << created.error().ToString();
    columns_ = std::move(*created);
  }
  size_t Add(const std::string& path, Type type = Type::kNumber, int width = 1) const {
    return columns_->AddColumn({path, type, width, "", ""});
  }
  Hdf5File Open() const { return Hdf5File(PathOf("a.h5")); }

  std::unique_ptr<Hdf5Columns> columns_;
};

TEST_F(Hdf5ColumnsTest, EachTypeComesBackAsItWas) {
  const size_t number = Add("/group/deep/number");
  const size_t integer = Add("/integer", Type::kInteger);
  const size_t hash = Add("/hash", Type::kHash);
  const size_t name = Add("/name", Type::kName);
  const std::vector<double> numbers = {1.0 / 3.0, 1e-300};
  const std::vector<int64_t> integers = {INT64_MIN, 7, INT64_MAX};
  columns_->Append(number, numbers);
  columns_->Append(integer, integers);
  columns_->AppendHash(hash, UINT64_MAX);
  columns_->AppendName(name, "ball");
  columns_->AppendName(name, "");
  ASSERT_TRUE(columns_->Close());
  const Hdf5File file = Open();
  EXPECT_EQ(file.Read<double>("/group/deep/number"), numbers);
  EXPECT_EQ(file.Read<int64_t>("/integer"), integers);
  EXPECT_THAT(file.Read<uint64_t>("/hash"), ElementsAre(UINT64_MAX));
  EXPECT_THAT(file.ReadNames("/name"), ElementsAre("ball", ""));
}

TEST_F(Hdf5ColumnsTest, NamesAreCutToSixtyFourLetters) {
  const size_t name = Add("/name", Type::kName);
  columns_->AppendName(name, std::string(64, 'a'));
  columns_->AppendName(name, std::string(65, 'b'));
  ASSERT_TRUE(columns_->Close());
  EXPECT_THAT(Open().ReadNames("/name"), ElementsAre(std::string(64, 'a'), std::string(64, 'b')));
}

TEST_F(Hdf5ColumnsTest, ARowHasAsManyNumbersAsTheColumnIsWide) {
  const size_t vectors = Add("/vectors", Type::kNumber, 3);
  const size_t empty = Add("/empty", Type::kNumber, 4);
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6};
  columns_->Append(vectors, numbers);
  columns_->Append(empty, std::span<const double>());
  ASSERT_TRUE(columns_->Close());
  EXPECT_THAT(Open().Shape("/vectors"), ElementsAre(2, 3));
  EXPECT_EQ(Open().Read<double>("/vectors"), numbers);
  EXPECT_THAT(Open().Shape("/empty"), ElementsAre(0, 4));
}

TEST_F(Hdf5ColumnsTest, UnitsAndMeaningAreAttributes) {
  columns_->AddAttribute("source", "recordings/r");
  columns_->AddColumn({"/gap", Type::kNumber, 1, "m", "negative: overlap"});
  Add("/plain");
  ASSERT_TRUE(columns_->Close());
  const Hdf5File file = Open();
  EXPECT_EQ(file.Attribute("/", "source"), "recordings/r");
  EXPECT_EQ(file.Attribute("/gap", "units"), "m");
  EXPECT_EQ(file.Attribute("/gap", "description"), "negative: overlap");
  EXPECT_EQ(file.Attribute("/plain", "units"), "");
  EXPECT_EQ(file.Attribute("/plain", "description"), "");
}

// More than waits in memory and than a chunk holds, in pieces that fit neither.
TEST_F(Hdf5ColumnsTest, RowsKeepTheirOrderOverManyWrites) {
  const size_t column = Add("/numbers", Type::kNumber, 3);
  std::vector<double> piece(3 * 1001);
  for (int k = 0; k < 150; ++k) {
    std::iota(piece.begin(), piece.end(), static_cast<double>(piece.size()) * k);
    columns_->Append(column, piece);
    ASSERT_TRUE(columns_->Flush());
  }
  ASSERT_TRUE(columns_->Close());
  const std::vector<double> read = Open().Read<double>("/numbers");
  ASSERT_EQ(read.size(), 150 * piece.size());
  for (size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], static_cast<double>(i));
}

TEST_F(Hdf5ColumnsTest, TheSameColumnTwiceIsToldByClose) {
  Add("/twice");
  const size_t second = Add("/twice");
  columns_->Append(second, std::vector<double>{1.0});
  EXPECT_FALSE(columns_->Flush());
  const auto closed = columns_->Close();
  ASSERT_FALSE(closed);
  EXPECT_THAT(closed.error().message, HasSubstr(PathOf("a.h5")));
}

TEST_F(Hdf5ColumnsTest, TheSameAttributeTwiceIsToldByClose) {
  columns_->AddAttribute("source", "a");
  columns_->AddAttribute("source", "b");
  EXPECT_FALSE(columns_->Close());
}

TEST_F(Hdf5ColumnsTest, AFileThatCannotBeMadeIsToldWithItsName) {
  const auto refused = Hdf5Columns::Create(PathOf("none/a.h5"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.code(), client::Code::kUnknown);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("none/a.h5")));
}

}  // namespace
}  // namespace talus::cli
