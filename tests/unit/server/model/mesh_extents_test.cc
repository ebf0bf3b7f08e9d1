// How far meshes reach, in each format and from bad files.
#include "server/model/mesh_extents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "server/model/model_file.h"

namespace talus::model {
namespace {

using Corner = std::array<float, 3>;

std::string BinaryStl(const std::vector<Corner>& corners, const std::string& header = "") {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto append = [&](const auto& value) {
    const size_t at = bytes.size();
    bytes.resize(at + sizeof(value));
    std::memcpy(bytes.data() + at, &value, sizeof(value));  // little-endian, as all we build for
  };
  append(static_cast<uint32_t>(corners.size() / 3));
  for (size_t first = 0; first + 2 < corners.size(); first += 3) {
    append(Corner{9e9F, 9e9F, 9e9F});  // the normal is no vertex
    for (size_t corner = 0; corner < 3; ++corner) append(corners[first + corner]);
    append(uint16_t{0});
  }
  return bytes;
}

void ExpectExtents(const absl::StatusOr<Extents>& extents, const Vec3& low, const Vec3& high) {
  ASSERT_TRUE(extents.ok()) << extents.status();
  EXPECT_EQ(extents->low, low);
  EXPECT_EQ(extents->high, high);
}

TEST(MeshExtentsTest, BinaryStl) {
  const std::vector<Corner> corners = {{1, 2, 3}, {-1, 0, 0.5}, {0, 5, 1}};
  ExpectExtents(FindExtents("hand.stl", BinaryStl(corners)), Vec3(-1, 0, 0.5), Vec3(1, 5, 3));
  // Some writers begin the free text with the word that text files begin with.
  ExpectExtents(FindExtents("HAND.STL", BinaryStl(corners, "solid hand")), Vec3(-1, 0, 0.5),
                Vec3(1, 5, 3));
}

TEST(MeshExtentsTest, TextStlAndObj) {
  ExpectExtents(
      FindExtents("a.stl",
                  "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 1 2 3\n"
                  "   VERTEX -1e1 +0 .5\r\n   vertex 0 5 1\n endloop\n endfacet\nendsolid"),
      Vec3(-10, 0, 0.5), Vec3(1, 5, 3));
  ExpectExtents(FindExtents("dir.stl/a.obj",
                            "# a box\nmtllib /etc/passwd\nv 1 2 3\nv -1 0 0.5 1.0\nvn 9 9 9\n"
                            "vt 9 9\nv 0 5 1\nf 1 2 3"),
                Vec3(-1, 0, 0.5), Vec3(1, 5, 3));
}

TEST(MeshExtentsTest, RefusesBadFiles) {
  const auto error = [](const char* name, const std::string& bytes) {
    return std::string(FindExtents(name, bytes).status().message());
  };
  EXPECT_EQ(error("a.dae", ""), "only .stl and .obj are read");
  EXPECT_EQ(error("stl", ""), "only .stl and .obj are read");
  EXPECT_EQ(error("a.stl", ""), "it is cut short");
  EXPECT_EQ(error("a.stl", BinaryStl({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}).substr(0, 133)),
            "it is cut short: 1 triangles are announced, 0 are there");
  EXPECT_EQ(error("a.stl", BinaryStl({})), "there is no vertex in it");
  EXPECT_EQ(error("a.stl", "solid a\nendsolid"), "there is no vertex in it");
  EXPECT_EQ(error("a.obj", "v 1 2\n"), "line 1: \"\" is no coordinate");
  EXPECT_EQ(error("a.obj", "\nv 1 2 nan"), "line 2: \"nan\" is no coordinate");
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error("a.stl", BinaryStl({{1, 2, 3}, {1, infinite, 3}, {1, 2, 3}})),
            "a vertex is not finite");
}

TEST(ModelFileTest, AUriMeansTheFileOfItsNameOrTheLongestEndOfItsPath) {
  const std::vector<ModelFile> files = {
      {"hand.stl", "1"}, {"meshes/hand.stl", "2"}, {"package://arm/hand.stl", "3"}, {"d.stl", "4"}};
  EXPECT_EQ(FindFile(files, "package://arm/meshes/hand.stl")->bytes, "2");
  EXPECT_EQ(FindFile(files, "package://arm/hand.stl")->bytes, "3");
  EXPECT_EQ(FindFile(files, "file:///tmp/hand.stl")->bytes, "1");
  EXPECT_EQ(FindFile(files, "hand.stl")->bytes, "1");
  EXPECT_EQ(FindFile(files, "meshes/hand.stl")->bytes, "2");
  EXPECT_EQ(FindFile(files, "package://arm/hand.obj"), nullptr);
  EXPECT_EQ(FindFile(files, "hand.stl/"), nullptr);
  EXPECT_EQ(FindFile(files, ""), nullptr);
  // `d.stl` ends the text, not the path.
  EXPECT_EQ(FindFile(files, "package://arm/and.stl"), nullptr);
}

TEST(ModelFileTest, NamesAreBoundedAndGivenOnce) {
  const auto error = [](const std::vector<ModelFile>& files) {
    return std::string(ValidateFiles(files, "files").message());
  };
  EXPECT_EQ(error({{"a", ""}, {"b", ""}}), "");
  EXPECT_EQ(error({{"a", ""}, {"", ""}}), "files[1].name = \"\" must have 1 to 255 bytes");
  EXPECT_EQ(error({{"a", ""}, {"a", ""}}),
            "files[1].name = \"a\" must differ from those of the other files");
  const std::string longest(256, 'x');
  EXPECT_NE(error({{longest, ""}}), "");
  EXPECT_EQ(error(std::vector<ModelFile>(257, {"a", ""})), "size(files) = 257 must be in [0, 256]");
}

}  // namespace
}  // namespace talus::model
