#include "solver/contact/coloring.h"

#include <gtest/gtest.h>

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

// Every contact stands once; within a parallel colour no dynamic body stands twice.
void ExpectValid(const Coloring& coloring, const std::vector<ContactInput>& contacts,
                 const std::vector<double>& inverse_masses) {
  ASSERT_EQ(coloring.order.size(), contacts.size());
  EXPECT_EQ(std::set<uint32_t>(coloring.order.begin(), coloring.order.end()).size(),
            contacts.size());
  ASSERT_EQ(coloring.color_begin.back(), contacts.size());
  const size_t colors = coloring.color_begin.size() - 1;
  for (size_t color = 0; color < colors - (coloring.last_color_serial ? 1 : 0); ++color) {
    std::set<uint32_t> bodies;
    for (uint32_t i = coloring.color_begin[color]; i < coloring.color_begin[color + 1]; ++i) {
      const ContactInput& c = contacts[coloring.order[i]];
      for (uint32_t body : {c.body_a, c.body_b}) {
        if (inverse_masses[body] > 0.0) {
          EXPECT_TRUE(bodies.insert(body).second) << "colour " << color;
        }
      }
    }
  }
}

TEST(Coloring, ColoursNeverShareADynamicBody) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<ContactInput> contacts = RandomContacts(200, 900, seed);
    std::vector<double> inverse_masses(200, 1.0);
    for (size_t i = 0; i < 200; i += 17) inverse_masses[i] = 0.0;
    Coloring coloring;
    ColorContacts(contacts, inverse_masses, coloring);
    EXPECT_FALSE(coloring.last_color_serial);
    ExpectValid(coloring, contacts, inverse_masses);
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
  EXPECT_EQ(coloring.color_begin.size(), 2u);
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
  EXPECT_TRUE(coloring.last_color_serial);
  EXPECT_EQ(coloring.color_begin.size(), kParallelColors + 2);
  ExpectValid(coloring, contacts, inverse_masses);
}

TEST(Coloring, NoContactsNoColours) {
  Coloring coloring;
  ColorContacts({}, {}, coloring);
  EXPECT_EQ(coloring.color_begin.size(), 1u);
  EXPECT_TRUE(coloring.order.empty());
}

}  // namespace
}  // namespace talus
