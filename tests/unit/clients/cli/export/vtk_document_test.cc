#include "clients/cli/export/vtk_document.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/unit/clients/cli/export/vtk_arrays.h"

namespace talus::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<double> kPoints = {0.0, 1.0 / 3.0, -0.0, 1e-300, 5.0, 1e300};

TEST(VtkDocument, HoldsPointsAndTimeToTheBit) {
  const std::string text = VtkDocument(kPoints, 0.1).Finish();
  const auto points = ReadArray<double>(text, "Points");
  ASSERT_EQ(points.size(), kPoints.size());
  EXPECT_EQ(std::memcmp(points.data(), kPoints.data(), sizeof(double) * points.size()), 0);
  EXPECT_THAT(ReadArray<double>(text, "TimeValue"), ElementsAre(0.1));
  EXPECT_THAT(text, HasSubstr("NumberOfPoints=\"2\" NumberOfVerts=\"2\""));
  EXPECT_THAT(text, HasSubstr("byte_order=\"LittleEndian\" header_type=\"UInt64\""));
}

TEST(VtkDocument, EachPointIsAVertex) {
  const std::string text = VtkDocument(kPoints, 0.0).Finish();
  EXPECT_THAT(ReadArray<int64_t>(text, "connectivity"), ElementsAre(0, 1));
  EXPECT_THAT(ReadArray<int64_t>(text, "offsets"), ElementsAre(1, 2));
}

TEST(VtkDocument, ArraysKeepTheirTypeWidthAndNumbers) {
  VtkDocument document(kPoints, 0.0);
  const std::vector<double> forces = {1, 2, 3, 4, 5, 1.0 / 3.0};
  const std::vector<uint32_t> modes = {3, std::numeric_limits<uint32_t>::max()};
  const std::vector<int64_t> ids = {std::numeric_limits<int64_t>::min(), 7};
  document.AddArray("force", 3, forces);
  document.AddArray("mode", 1, modes);
  document.AddArray("id", 1, ids);
  const std::string text = document.Finish();
  EXPECT_EQ(ReadArray<double>(text, "force"), forces);
  EXPECT_EQ(ReadArray<uint32_t>(text, "mode"), modes);
  EXPECT_EQ(ReadArray<int64_t>(text, "id"), ids);
  EXPECT_THAT(FindArrayTag(text, "force"), HasSubstr("type=\"Float64\""));
  EXPECT_THAT(FindArrayTag(text, "force"), HasSubstr("NumberOfComponents=\"3\""));
  EXPECT_THAT(FindArrayTag(text, "mode"), HasSubstr("type=\"UInt32\""));
  EXPECT_THAT(FindArrayTag(text, "id"), HasSubstr("type=\"Int64\""));
  EXPECT_LT(text.find("<PointData>"), text.find("Name=\"force\""));
  EXPECT_EQ(FindArrayTag(text, "torque"), "");
}

TEST(VtkDocument, NoPointsAreADocumentToo) {
  VtkDocument document({}, 2.0);
  document.AddArray("force", 3, std::span<const double>());
  const std::string text = document.Finish();
  EXPECT_THAT(text, HasSubstr("NumberOfPoints=\"0\" NumberOfVerts=\"0\""));
  EXPECT_THAT(ReadArray<double>(text, "Points"), IsEmpty());
  EXPECT_THAT(ReadArray<double>(text, "force"), IsEmpty());
  EXPECT_THAT(ReadArray<int64_t>(text, "connectivity"), IsEmpty());
  EXPECT_TRUE(text.ends_with("</VTKFile>\n"));
}

TEST(VtkCollection, NamesAFileATime) {
  VtkCollection collection;
  collection.Add(0.1, "a.vtp");
  collection.Add(1.0 / 3.0, "b.vtp");
  const std::string text = collection.Finish();
  const size_t first = text.find("<DataSet timestep=\"0.1\" part=\"0\" file=\"a.vtp\"/>");
  const size_t second =
      text.find("<DataSet timestep=\"0.3333333333333333\" part=\"0\" file=\"b.vtp\"/>");
  EXPECT_LT(first, second);
  EXPECT_NE(second, std::string::npos) << text;
}

TEST(VtkCollection, OfNothingHasNoEntry) {
  const std::string text = VtkCollection().Finish();
  EXPECT_EQ(text.find("<DataSet"), std::string::npos);
  EXPECT_TRUE(text.ends_with("<Collection>\n</Collection>\n</VTKFile>\n")) << text;
}

}  // namespace
}  // namespace talus::cli
