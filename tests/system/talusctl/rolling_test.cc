// The commands of bodies that roll on two contact points: on a server that is there and on their
// own, with answers that are known exactly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class TalusctlRolling : public TalusctlServerTest {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string ReadAll(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  // With a server of its own, whatever address the environment names.
  static TalusctlResult Alone(const std::vector<std::string>& words) {
    return Talusctl(words, {"TALUS_SERVER=" TALUS_SERVER_BINARY,
                            "TALUS_SERVER_ADDRESS=unix:/nowhere/talus.sock"});
  }
};

// A ball of 2 kg in a right-angled trough under 14 N onto each wall, pushed along it.
std::string PushedBall(double push_n, double mass_kg = 2.0) {
  std::ostringstream text;
  text << "{\n  \"massKg\": " << mass_kg << R"(,
  "inertiaWorldKgM2": [0.008, 0, 0, 0, 0.008, 0, 0, 0, 0.008],
  "forceWorldN": {"x": -14, "y": -14, "z": )"
       << push_n << R"(},
  "contacts": [
    {"armWorldM": {"y": -0.1}, "normalWorld": {"y": 1}, "slidingFriction": 0.3},
    {"armWorldM": {"x": -0.1}, "normalWorld": {"x": 1}, "slidingFriction": 0.3}
  ]
})";
  return text.str();
}

std::string LoadsOf(const std::string& body, int cells) {
  return "{\"body\": " + body +
         ",\n\"axes\": [{\"torqueWorldNM\": {\"x\": 1}}, {\"torqueWorldNM\": {\"y\": 1}}, "
         "{\"torqueWorldNM\": {\"z\": 1}}],\n\"reach\": 10, \"cells\": " +
         std::to_string(cells) + "}";
}

TEST_F(TalusctlRolling, SayWhatABodyDoesNext) {
  const std::string file = Write("ball.json", PushedBall(1.0));
  const auto answer = RunForJson<v1::AnalyzeRollingTransitionResponse>({"transition", file});
  ASSERT_EQ(answer.realizable_states_size(), 1);
  EXPECT_EQ(answer.realizable_states(0), v1::CONTACT_PAIR_STATE_ROLL_ROLL);
  // 1 N on 2 (1 + 0.4 · 2) kg: it turns about the line through the contacts.
  EXPECT_NEAR(answer.motions(0).acceleration_world_m_s2().z(), 1.0 / 3.6, 1e-12);
  const TalusctlResult text = Run({"transition", file});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(StartsWith("realizable: RR\nRR  growth 0  acceleration ("),
                              HasSubstr(", 0.277778) m/s2, "),
                              HasSubstr("rolling is statically possible, with "),
                              HasSubstr("  attracting\n"), Not(HasSubstr("repelling"))));
  EXPECT_THAT(Run({"transition", Write("hard.json", PushedBall(60.0))}).out,
              AllOf(StartsWith("realizable: SS\nSS"), HasSubstr("rolling is not statically"),
                    HasSubstr("  repelling\n")));
  EXPECT_THAT(Talusctl({"transition", "--help"}).out, HasSubstr("AnalyzeRollingTransitionRequest"));
}

TEST_F(TalusctlRolling, NameWhatIsWrongInAFile) {
  const auto transition = [this](const std::string& text) {
    return Run({"transition", Write("wrong.json", text)});
  };
  TalusctlResult refused = transition(PushedBall(1.0, -2.0));
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("wrong.json:2: mass_kg = -2 must lie within"));
  refused = transition("{\"massKg\": 1,\n\"inertia\": 3}");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("wrong.json:2: "), HasSubstr("inertia")));
  refused = transition("{\"massKg\": }");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("wrong.json:1:"));
  EXPECT_EQ(Run({"transition", folder_ + "/none.json"}).exit_code, 2);
  EXPECT_EQ(Run({"transition"}).exit_code, 2);

  const std::string loads = Write("loads.json", LoadsOf(PushedBall(0.0, -2.0), 1));
  refused = Run({"rolling-loads", loads, "-o", folder_ + "/mesh.obj"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("loads.json:2: body.mass_kg = -2"));
  refused = Run({"rolling-loads", Write("slips.json", LoadsOf(PushedBall(60.0), 1)), "-o",
                 folder_ + "/mesh.obj"});
  EXPECT_EQ(refused.exit_code, 13);
  EXPECT_THAT(refused.err, HasSubstr("slips.json:1: body = a load under which it slips"));
  EXPECT_EQ(Run({"rolling-loads", loads}).exit_code, 2) << "a file is needed";
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/mesh.obj"));
}

TEST_F(TalusctlRolling, WriteTheLoadsABodyRollsUnder) {
  const std::string file = Write("loads.json", LoadsOf(PushedBall(0.0), 2));
  const auto mesh = [&](const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"rolling-loads", file, "--out", folder_ + "/" + name};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto answer = RunForJson<v1::MeshRollingLoadsResponse>(mesh("mesh.obj"));
  EXPECT_EQ(answer.exits_size(), 32);
  EXPECT_TRUE(answer.obj().empty());
  EXPECT_THAT(ReadAll(folder_ + "/mesh.obj"), AllOf(StartsWith("v "), HasSubstr("\ng SS\nf ")));
  EXPECT_THAT(Run(mesh("mesh.ply", {"--cells", "1"})).out,
              HasSubstr("mesh.ply: 6 vertices, 8 triangles"));
  EXPECT_THAT(
      ReadAll(folder_ + "/mesh.ply"),
      AllOf(StartsWith("ply\nformat ascii 1.0\n"), HasSubstr("\nelement vertex 6\n"),
            HasSubstr("\nelement face 8\n"), HasSubstr("\nend_header\n"), HasSubstr("\n3 0 1 2 ")));

  // The tip along z is at m_z3 m g r / √2, with 14 N for m g / √2 and r = 0.1 m.
  EXPECT_EQ(Run(mesh("mesh.csv")).exit_code, 0);
  std::istringstream table(ReadAll(folder_ + "/mesh.csv"));
  std::string line;
  ASSERT_TRUE(std::getline(table, line));
  EXPECT_EQ(line, "exit,x0,y0,z0,x1,y1,z1,x2,y2,z2");
  double highest = 0.0;
  int lines = 0;
  for (; std::getline(table, line); ++lines) {
    EXPECT_THAT(line.substr(0, 3), ::testing::AnyOf("RS,", "SR,", "SS,"));
    std::istringstream cells(line.substr(3));
    std::string cell;
    for (int i = 0; std::getline(cells, cell, ','); ++i) {
      if (i % 3 == 2) highest = std::max(highest, std::stod(cell));
    }
  }
  EXPECT_EQ(lines, 32);
  EXPECT_NEAR(highest, 2.0 * 0.3 / 1.09 * 14.0 * 0.1, 1e-7);
  EXPECT_EQ(Run(mesh("mesh.obj", {"--reach", "1e300"})).exit_code, 13);
  EXPECT_EQ(Run(mesh("mesh.obj", {"--cells", "33"})).exit_code, 13);
  EXPECT_EQ(Run(mesh("no/such/mesh.obj", {"--cells", "1"})).exit_code, 1);
}

TEST_F(TalusctlRolling, WriteTheSurfaceOfTheTrough) {
  const std::string file = folder_ + "/surface.obj";
  const TalusctlResult small = Run({"trough", "--cells", "2", "--friction", "0.5", "-o", file});
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_THAT(small.out, HasSubstr("vertices"));
  std::ifstream mesh(file);
  std::string first;
  ASSERT_TRUE(std::getline(mesh, first));
  EXPECT_THAT(first, AllOf(StartsWith("v "), HasSubstr("-0.8")));
  EXPECT_EQ(RunForJson<v1::MeshTroughSurfaceResponse>(
                {"trough", "--all-faces", "--cells", "2", "-o", file})
                .obj()
                .size(),
            0u);
  EXPECT_EQ(Run({"trough", "--friction", "1.5", "-o", file}).exit_code, 13);
  EXPECT_EQ(Run({"trough"}).exit_code, 2) << "a file is needed";
  const std::string table = folder_ + "/surface.csv";
  EXPECT_EQ(Run({"trough", "--cells", "2", "-o", table}).exit_code, 0);
  EXPECT_THAT(ReadAll(table), AllOf(HasSubstr("\nRS,"), HasSubstr("\nSR,"), HasSubstr("\nSS,")));
}

TEST_F(TalusctlRolling, NeedNoServerToBeRunning) {
  const std::string mesh = folder_ + "/alone.ply";
  TalusctlResult alone = Alone({"trough", "--cells", "2", "-o", mesh});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(ReadAll(mesh), StartsWith("ply\n"));
  alone = Alone({"transition", Write("ball.json", PushedBall(1.0))});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.out, StartsWith("realizable: RR\n"));
  alone = Alone({"rolling-loads", Write("loads.json", LoadsOf(PushedBall(0.0), 1)), "-o", mesh});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  // A server that is named and not there is none of its own.
  EXPECT_EQ(Alone({"trough", "-o", mesh, "--server", "unix:/nowhere/talus.sock"}).exit_code, 24);
  EXPECT_EQ(Alone({"trough", "-o", mesh, "--server-binary", "/nowhere/talus_server"}).exit_code, 1);
}

}  // namespace
}  // namespace talus::testing
