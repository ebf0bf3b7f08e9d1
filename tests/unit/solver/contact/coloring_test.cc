#include "solver/contact/coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/base/random.h"

namespace talus {
namespace {

std::vector<ContactInput> RandomContacts(size_t bodies, size_t contacts, uint64_t seed) {
  Random random(seed);
  std::vector<ContactInput> result(contacts);
  for (ContactInput& c : result) {
    c.body_a = static_cast<uint32_t>(random.Next() % bodies);
    do {
      c.body_b = static_cast<uint32_t>(random.Next() % bodies);
    } while (c.body_b == c.body_a);
  }
  return result;
}

// Within a parallel colour no dynamic body stands twice. Returns how many colours there are.
size_t ExpectValid(const Coloring& coloring, const std::vector<ContactInput>& contacts,
                   const std::vector<double>& inverse_masses) {
  EXPECT_EQ(coloring.color.size(), contacts.size());
  std::set<std::pair<uint8_t, uint32_t>> taken;
  std::set<uint8_t> colors;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const uint8_t color = coloring.color[i];
    colors.insert(color);
    if (color == kParallelColors) continue;
    for (const uint32_t body : {contacts[i].body_a, contacts[i].body_b}) {
      if (inverse_masses[body] > 0.0) {
        EXPECT_TRUE(taken.insert({color, body}).second) << "colour " << int{color};
      }
    }
  }
  return colors.size();
}

TEST(Coloring, ColoursNeverShareADynamicBody) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<ContactInput> contacts = RandomContacts(200, 900, seed);
    std::vector<double> inverse_masses(200, 1.0);
    for (size_t i = 0; i < 200; i += 17) inverse_masses[i] = 0.0;
    Coloring coloring;
    ColorContacts(contacts, inverse_masses, coloring);
    EXPECT_LT(ExpectValid(coloring, contacts, inverse_masses), kParallelColors);
  }
}

TEST(Coloring, StaticBodiesDoNotConstrain) {
  std::vector<ContactInput> contacts(500);
  for (uint32_t i = 0; i < 500; ++i) {
    contacts[i].body_a = 0;
    contacts[i].body_b = i + 1;
  }
  std::vector<double> inverse_masses(501, 1.0);
  inverse_masses[0] = 0.0;
  Coloring coloring;
  ColorContacts(contacts, inverse_masses, coloring);
  EXPECT_EQ(ExpectValid(coloring, contacts, inverse_masses), 1u);
}

TEST(Coloring, AHubWithManyContactsOverflowsToOneSerialColour) {
  std::vector<ContactInput> contacts(200);
  for (uint32_t i = 0; i < 200; ++i) {
    contacts[i].body_a = 0;
    contacts[i].body_b = i + 1;
  }
  const std::vector<double> inverse_masses(201, 1.0);
  Coloring coloring;
  ColorContacts(contacts, inverse_masses, coloring);
  EXPECT_EQ(ExpectValid(coloring, contacts, inverse_masses), kParallelColors + 1);
  EXPECT_EQ(std::ranges::count(coloring.color, kParallelColors), 200 - kParallelColors);
}

TEST(Coloring, NoContactsNoColours) {
  Coloring coloring;
  ColorContacts({}, {}, coloring);
  EXPECT_TRUE(coloring.color.empty());
}

}  // namespace
}  // namespace talus
