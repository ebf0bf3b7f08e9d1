#include "solver/contact/strands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "solver/base/random.h"
#include "solver/contact/body_rows.h"

namespace talus {
namespace {

constexpr uint64_t kStrandsSeed = 7;

// Bodies and which of them touch.
struct Graph {
  std::vector<Vec3> positions;
  std::vector<double> inverse_masses;
  std::vector<ContactInput> contacts;

  uint32_t Add(const Vec3& position, bool dynamic) {
    positions.push_back(position);
    inverse_masses.push_back(dynamic ? 1.0 : 0.0);
    return static_cast<uint32_t>(positions.size() - 1);
  }
  void Touch(uint32_t a, uint32_t b) {
    contacts.push_back({a, b, Vec3::Zero(), Vec3::UnitZ(), 0.0, 0, 0});
  }
  bool IsDynamic(uint32_t body) const { return inverse_masses[body] > 0.0; }

  Strands Find(int worker_count = 1) const {
    WorkerArena workers(worker_count);
    Strands strands;
    std::vector<uint32_t> numbers, cells;
    std::vector<uint16_t> row_of_bin;
    FindStrands(workers, positions, inverse_masses, contacts, {numbers, cells, row_of_bin},
                strands);
    return strands;
  }
};

// A block of a x b x c touching balls in no order, the lowest on the ground.
Graph MakeLattice(int a, int b, int c) {
  Random random(kStrandsSeed);
  Graph graph;
  const uint32_t ground = graph.Add(Vec3::Zero(), false);
  std::map<std::array<int, 3>, uint32_t> rows;
  std::vector<std::array<int, 3>> cells;
  for (int x = 0; x < a; ++x) {
    for (int y = 0; y < b; ++y) {
      for (int z = 0; z < c; ++z) cells.push_back({x, y, z});
    }
  }
  for (size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[random.Next() % i]);
  for (const std::array<int, 3>& cell : cells) {
    rows[cell] = graph.Add(Vec3(cell[0], cell[1], cell[2]), true);
  }
  for (const std::array<int, 3>& cell : cells) {
    if (cell[2] == 0) graph.Touch(ground, rows[cell]);
    for (size_t axis = 0; axis < 3; ++axis) {
      std::array<int, 3> next = cell;
      ++next[axis];
      if (rows.contains(next)) graph.Touch(rows[cell], rows[next]);
    }
  }
  return graph;
}

size_t PhaseCount(const Strands& strands) { return strands.phase_begin.size() - 1; }

// Every contact is in one strand, and no two strands of a phase share a dynamic body.
void ExpectOrdered(const Graph& graph, const Strands& strands) {
  ASSERT_EQ(strands.phase_begin.front(), 0u);
  ASSERT_EQ(strands.phase_begin.back(), strands.count());
  std::vector<uint32_t> all(strands.contacts);
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), graph.contacts.size());
  for (uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
  for (size_t phase = 0; phase < PhaseCount(strands); ++phase) {
    std::map<uint32_t, size_t> strand_of_body;
    ASSERT_LT(strands.phase_begin[phase], strands.phase_begin[phase + 1]);
    for (size_t s = strands.phase_begin[phase]; s < strands.phase_begin[phase + 1]; ++s) {
      ASSERT_FALSE(strands.Get(s).empty());
      EXPECT_TRUE(std::ranges::is_sorted(strands.Get(s)));
      for (const uint32_t i : strands.Get(s)) {
        for (const uint32_t body : {graph.contacts[i].body_a, graph.contacts[i].body_b}) {
          if (!graph.IsDynamic(body)) continue;
          const auto [place, fresh] = strand_of_body.insert({body, s});
          ASSERT_TRUE(fresh || place->second == s) << "body " << body << ", phase " << phase;
        }
      }
    }
  }
}

size_t LongestStrand(const Strands& strands) {
  size_t longest = 0;
  for (size_t s = 0; s < strands.count(); ++s) longest = std::max(longest, strands.Get(s).size());
  return longest;
}

TEST(Strands, FewContactsAreOne) {
  const Graph graph = MakeLattice(8, 8, 8);
  const Strands strands = graph.Find();
  ExpectOrdered(graph, strands);
  EXPECT_EQ(strands.count(), 1u);
}

TEST(Strands, ALongRowIsCutAcross) {
  const Graph graph = MakeLattice(1000, 3, 4);
  const Strands strands = graph.Find();
  ExpectOrdered(graph, strands);
  EXPECT_EQ(PhaseCount(strands), 2u);
  EXPECT_GE(strands.count(), 2 * graph.contacts.size() / kStrandContacts - 2);
  EXPECT_LE(LongestStrand(strands), 2 * kStrandContacts);
}

TEST(Strands, ABlockIsCutAcrossTwoAxes) {
  const Graph graph = MakeLattice(40, 36, 10);
  const Strands strands = graph.Find();
  ExpectOrdered(graph, strands);
  EXPECT_GE(PhaseCount(strands), 3u);
  EXPECT_LE(PhaseCount(strands), 4u);
  EXPECT_LE(LongestStrand(strands), 2 * kStrandContacts);
}

TEST(Strands, DoNotDependOnTheWorkers) {
  const Graph graph = MakeLattice(30, 30, 8);
  const Strands alone = graph.Find(1);
  for (const int worker_count : {2, 3, 7}) {
    const Strands shared = graph.Find(worker_count);
    EXPECT_EQ(shared.contacts, alone.contacts);
    EXPECT_EQ(shared.begin, alone.begin);
    EXPECT_EQ(shared.phase_begin, alone.phase_begin);
  }
}

TEST(Strands, MayTouchBodiesFarApart) {
  Random random(kStrandsSeed);
  Graph graph = MakeLattice(60, 12, 6);
  // A board across all of it, and pairs anywhere.
  const uint32_t board = graph.Add(Vec3(30, 6, 7), true);
  for (uint32_t body = 1; body < board; body += 7) graph.Touch(body, board);
  for (int k = 0; k < 2000; ++k) {
    const auto a = static_cast<uint32_t>(1 + random.Next() % (board - 1));
    graph.Touch(a, 1 + (a + static_cast<uint32_t>(random.Next() % 500)) % (board - 1));
    if (graph.contacts.back().body_a == graph.contacts.back().body_b) graph.contacts.pop_back();
  }
  const Strands strands = graph.Find(2);
  ExpectOrdered(graph, strands);
  EXPECT_GE(strands.count(), 4u);
}

TEST(Strands, StandOnOneSpotOrNowhere) {
  for (const double x :
       {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Graph graph = MakeLattice(30, 20, 5);
    for (Vec3& position : graph.positions) position = Vec3::Constant(x);
    ExpectOrdered(graph, graph.Find(2));
  }
}

TEST(Strands, NoContactsNoStrands) {
  const Strands strands = Graph{}.Find();
  EXPECT_EQ(strands.count(), 0u);
  EXPECT_EQ(PhaseCount(strands), 0u);
}

TEST(BodyRows, AreThoseOfTheFirstStrandThatTouchesABody) {
  Graph graph = MakeLattice(50, 20, 5);
  graph.Add(Vec3(3, 3, 9), true);  // touches nothing
  const Strands strands = graph.Find();
  BodyRows rows;
  NumberRows(strands, graph.contacts, graph.inverse_masses, rows);
  ASSERT_EQ(rows.count(), graph.positions.size() - 1);
  EXPECT_EQ(rows.row.back(), kNoRow);
  for (uint32_t row = 0; row < rows.count(); ++row) EXPECT_EQ(rows.row[rows.body[row]], row);
  ASSERT_EQ(rows.strand_begin.size(), strands.count() + 1);
  // The ground is behind all that moves.
  EXPECT_EQ(rows.strand_begin.back(), rows.count() - 1);
  EXPECT_EQ(rows.row[0], rows.count() - 1);
  uint32_t known = 0;
  for (size_t s = 0; s < strands.count(); ++s) {
    for (const uint32_t i : strands.Get(s)) {
      for (const uint32_t body : {graph.contacts[i].body_a, graph.contacts[i].body_b}) {
        if (!graph.IsDynamic(body)) continue;
        EXPECT_LT(rows.row[body], rows.strand_begin[s + 1]);
        known = std::max(known, rows.row[body] + 1);
      }
    }
    EXPECT_EQ(known, rows.strand_begin[s + 1]);
  }
}

}  // namespace
}  // namespace talus
