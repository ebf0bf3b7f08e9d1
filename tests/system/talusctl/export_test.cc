// `talusctl export`: the files hold the numbers that queries told of the same steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <openssl/evp.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "clients/cpp/columns.h"
#include "tests/support/file_text.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::HasSubstr;
using Table = std::vector<std::vector<std::string>>;

constexpr int kSteps = 12;
constexpr int kMoments = 7;  // every second step, and the state it began from

Table ReadCsv(const std::string& path) {
  Table table;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string>& cells = table.emplace_back();
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    if (line.ends_with(',')) cells.emplace_back();
  }
  return table;
}

std::vector<double> Numbers(const std::vector<std::string>& cells, size_t first, size_t count) {
  std::vector<double> numbers;
  for (size_t i = first; i < first + count; ++i) numbers.push_back(std::stod(cells.at(i)));
  return numbers;
}

std::vector<double> ReadDataset(const std::string& file, const std::string& path) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(opened, 0);
  const hid_t set = H5Dopen2(opened, path.c_str(), H5P_DEFAULT);
  EXPECT_GE(set, 0) << path;
  const hid_t space = H5Dget_space(set);
  std::vector<double> numbers(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(opened);
  return numbers;
}

std::vector<double> ReadVtkArray(const std::string& document, const std::string& name) {
  const size_t array = document.find("Name=\"" + name + "\"");
  EXPECT_NE(array, std::string::npos) << name;
  const size_t begin = document.find('>', array) + 1;
  const std::string text = document.substr(begin, document.find('<', begin) - begin);
  std::vector<unsigned char> bytes(text.size());
  const int size =
      EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size()));
  uint64_t length = 0;
  EXPECT_GE(size, static_cast<int>(sizeof length));
  std::memcpy(&length, bytes.data(), sizeof length);
  EXPECT_LE(sizeof length + length, static_cast<size_t>(size));
  std::vector<double> numbers(length / sizeof(double));
  std::memcpy(numbers.data(), bytes.data() + sizeof length, length);
  return numbers;
}

class TalusctlExport : public TalusctlServerTest {
 protected:
  // A disk rolls; every second step is recorded with everything.
  void SetUp() override {
    TalusctlServerTest::SetUp();
    ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
    ASSERT_EQ(Run({"record", "start", "disk", "--id", "r", "--every", "2", "--velocities",
                   "--contacts", "--diagnostics"})
                  .exit_code,
              0);
    ASSERT_EQ(Run({"step", "disk", "--count", std::to_string(kSteps)}).exit_code, 0);
    ASSERT_EQ(Run({"record", "stop", "r"}).exit_code, 0);
    state_ = RunForJson<v1::Frame>({"state", "disk"});
    contacts_ = RunForJson<v1::Frame>({"contacts", "disk"});
    ASSERT_EQ(Run({"record", "download", "r", "-o", Path("r.mcap")}).exit_code, 0);
  }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  v1::Frame state_;
  v1::Frame contacts_;
};

TEST_F(TalusctlExport, WritesTablesWithTheBitsOfTheState) {
  const TalusctlResult done = Talusctl({"export", Path("r.mcap"), "-o", Path("csv"), "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto summary = nlohmann::json::parse(done.out);
  EXPECT_EQ(summary["moments"], kMoments);
  EXPECT_EQ(summary["last_step_index"], kSteps);
  const Table bodies = ReadCsv(Path("csv/bodies.csv"));
  ASSERT_EQ(bodies.size(), 1u + 2 * kMoments) << "two bodies a moment";
  for (const auto& line : bodies) ASSERT_EQ(line.size(), bodies[0].size());
  const auto& last = bodies.back();
  EXPECT_EQ(last[1], std::to_string(kSteps));
  EXPECT_EQ(last[4], "disk");
  const client::BodiesView view = client::ViewBodies(state_);
  const auto row = [](std::span<const double> column, size_t width) {
    const auto part = column.subspan(width, width);
    return std::vector<double>(part.begin(), part.end());
  };
  EXPECT_EQ(Numbers(last, 5, 3), row(view.positions_world_m, 3));
  EXPECT_EQ(Numbers(last, 8, 4), row(view.orientations_wxyz, 4));
  EXPECT_EQ(Numbers(last, 12, 3), row(view.linear_velocities_world_m_s, 3));
  EXPECT_EQ(Numbers(last, 15, 3), row(view.angular_velocities_world_rad_s, 3));
  const Table contacts = ReadCsv(Path("csv/contacts.csv"));
  ASSERT_GE(contacts.size(), 2u);
  const auto& forces = contacts_.contacts().forces_world_n();
  EXPECT_EQ(Numbers(contacts.back(), 20, 3), std::vector<double>(forces.begin(), forces.end()));
  EXPECT_EQ(contacts[0][20], "force_x_n");
  EXPECT_EQ(ReadCsv(Path("csv/diagnostics.csv")).size(), 1u + kMoments);
}

TEST_F(TalusctlExport, WritesHdf5WithTheBitsOfTheState) {
  const std::string file = Path("r.h5");
  const TalusctlResult done = Run({"export", "recordings/r", "--format", "hdf5", "-o", file});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(ReadDataset(file, "/bodies/step_index"), (std::vector<double>{0, 2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(ReadDataset(file, "/bodies/offset"), (std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14}));
  const auto positions = ReadDataset(file, "/bodies/position_m");
  ASSERT_EQ(positions.size(), 42u);
  const auto& told = state_.bodies().positions_world_m();
  EXPECT_EQ(std::vector<double>(positions.end() - 6, positions.end()),
            std::vector<double>(told.begin(), told.end()));
  const auto wrenches = ReadDataset(file, "/contacts/wrench_contact");
  const auto& wrench = contacts_.contacts().wrenches_contact();
  ASSERT_GE(wrenches.size(), 6u);
  EXPECT_EQ(std::vector<double>(wrenches.end() - 6, wrenches.end()),
            std::vector<double>(wrench.begin(), wrench.end()));
  EXPECT_EQ(ReadDataset(file, "/diagnostics/residual").size(), 7u);
  EXPECT_EQ(ReadDataset(file, "/names/body_id").size(), 2u);
}

// A limit on the size of files stands for a disk that is full.
TEST_F(TalusctlExport, AFullDiskIsAFailureAndLeavesNothing) {
  for (const char* blocks : {"1", "8", "24"}) {
    const std::string words = " -f hdf5 -o " + Path("full.h5") + " 2>" + Path("full.err");
    const int status = std::system(("trap '' XFSZ; ulimit -f " + std::string(blocks) + "; " +
                                    TALUSCTL_BINARY + " export " + Path("r.mcap") + words)
                                       .c_str());
    ASSERT_TRUE(WIFEXITED(status)) << blocks;
    EXPECT_EQ(WEXITSTATUS(status), 1) << blocks;
    EXPECT_THAT(ReadText(Path("full.err")), HasSubstr("cannot write")) << blocks;
    EXPECT_FALSE(std::filesystem::exists(Path("full.h5"))) << blocks;
    EXPECT_FALSE(std::filesystem::exists(Path("full.h5.tmp"))) << blocks;
  }
}

TEST_F(TalusctlExport, WritesVtkWithTheBitsOfTheState) {
  ASSERT_EQ(Talusctl({"export", Path("r.mcap"), "-f", "vtk", "-o", Path("vtk")}).exit_code, 0);
  const std::string collection = ReadText(Path("vtk/bodies.pvd"));
  EXPECT_THAT(collection, HasSubstr("file=\"bodies_000006.vtp\""));
  EXPECT_THAT(collection, ::testing::Not(HasSubstr("bodies_000007")));
  const std::string bodies = ReadText(Path("vtk/bodies_000006.vtp"));
  const auto& told = state_.bodies().positions_world_m();
  EXPECT_EQ(ReadVtkArray(bodies, "Points"), std::vector<double>(told.begin(), told.end()));
  EXPECT_EQ(ReadVtkArray(bodies, "TimeValue"), std::vector<double>{state_.time_s()});
  const std::string contacts = ReadText(Path("vtk/contacts_000006.vtp"));
  const auto& torques = contacts_.contacts().torques_world_n_m();
  EXPECT_EQ(ReadVtkArray(contacts, "torque_n_m"),
            std::vector<double>(torques.begin(), torques.end()));
  // Another program reads them as XML.
  const std::string parse =
      "/usr/bin/python3 -c \"import sys, xml.etree.ElementTree as e; [e.parse(f) "
      "for f in sys.argv[1:]]\" " +
      Path("vtk") + "/*";
  EXPECT_EQ(std::system(parse.c_str()), 0);
}

TEST_F(TalusctlExport, TakesWhatWasChosen) {
  const std::string file = Path("some.csv");
  const TalusctlResult done = Talusctl({"export", Path("r.mcap"), "-o", file, "--what", "bodies",
                                        "--bodies", "disk", "--every", "2", "--from", "0"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const Table table = ReadCsv(file);
  ASSERT_EQ(table.size(), 5u);
  EXPECT_EQ(table[1][1] + table[2][1] + table[3][1] + table[4][1], "04812");
  const std::string to = table[2][0];
  EXPECT_EQ(Talusctl({"export", Path("r.mcap"), "-o", file, "--what", "bodies"}).exit_code, 2)
      << "it exists";
  ASSERT_EQ(Talusctl({"export", Path("r.mcap"), "-o", file, "--what", "bodies", "--bodies", "disk",
                      "--from", to, "--to", to, "--force"})
                .exit_code,
            0);
  EXPECT_EQ(ReadCsv(file).size(), 2u);
}

TEST_F(TalusctlExport, TellsWhatItCannotExport) {
  const std::string out = Path("out");
  const auto fails = [&](std::vector<std::string> words, int code, const std::string& text) {
    words.insert(words.begin(), "export");
    words.insert(words.end(), {"-o", out});
    const TalusctlResult result = Talusctl(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_FALSE(std::filesystem::exists(out + ".tmp"));
  };
  fails({Path("none.mcap")}, 2, "there is no file");
  fails({TALUSCTL_BINARY}, 2, "not an MCAP file");
  fails({Path("r.mcap"), "--bodies", "disc"}, 2, "disc");
  fails({Path("r.mcap"), "--format", "vtk", "--what", "diagnostics"}, 2, "VTK");
  fails({Path("r.mcap"), "--from", "2", "--to", "1"}, 2, "--from");
  EXPECT_EQ(Run({"export", "recordings/none", "-o", out}).exit_code, 15);
  ASSERT_EQ(Run({"record", "start", "disk", "--id", "bare", "--inputs-only"}).exit_code, 0);
  ASSERT_EQ(Run({"record", "stop", "bare"}).exit_code, 0);
  ASSERT_EQ(Run({"record", "download", "bare", "-o", Path("bare.mcap")}).exit_code, 0);
  fails({Path("bare.mcap")}, 2, "holds no frames");
  fails({Path("bare.mcap"), "--what", "contacts"}, 2, "--contacts");
}

TEST_F(TalusctlExport, TakesWhatIsWholeOfADamagedRecording) {
  const std::string bytes = ReadText(Path("r.mcap"));
  const auto write = [&](const std::string& name, const std::string& content) {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  };
  // Without its end.
  const TalusctlResult cut =
      Talusctl({"export", write("cut.mcap", bytes.substr(0, bytes.size() - 8)), "-o", Path("cut")});
  EXPECT_EQ(cut.exit_code, 6) << cut.err;
  EXPECT_THAT(cut.err, HasSubstr("cut off at byte"));
  EXPECT_EQ(ReadCsv(Path("cut/bodies.csv")).size(), 1u + 2 * kMoments);
  // A bit of the packed chunk differs: nothing of that chunk is taken.
  std::string wrong = bytes;
  const size_t chunk = wrong.find("zstd", wrong.find("start.snapshot"));
  ASSERT_NE(chunk, std::string::npos);
  wrong[chunk + 60] = static_cast<char>(wrong[chunk + 60] ^ 0x10);
  const TalusctlResult damaged =
      Talusctl({"export", write("wrong.mcap", wrong), "-o", Path("wrong")});
  EXPECT_EQ(damaged.exit_code, 6) << damaged.err;
  EXPECT_THAT(damaged.err, HasSubstr("is damaged at byte"));
  EXPECT_LT(ReadCsv(Path("wrong/bodies.csv")).size(), 1u + 2 * kMoments);
}

}  // namespace
}  // namespace talus::testing
