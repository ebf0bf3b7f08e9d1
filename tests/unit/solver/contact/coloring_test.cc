#include "solver/contact/coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/base/random.h"

namespace talus {
namespace {

ContactInput Between(uint32_t a, uint32_t b) {
  ContactInput contact;
  contact.body_a = a;
  contact.body_b = b;
  return contact;
}

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

// Colours of one strand of all contacts.
Coloring Color(const std::vector<ContactInput>& contacts,
               const std::vector<double>& inverse_masses) {
  WorkerArena workers(1);
  Strands strands;
  for (uint32_t i = 0; i < contacts.size(); ++i) strands.contacts.push_back(i);
  strands.begin = {0, static_cast<uint32_t>(contacts.size())};
  strands.phase_begin = {0, 1};
  Coloring coloring;
  ColorContacts(workers, strands, contacts, inverse_masses, coloring);
  return coloring;
}

// Within a colour but the last no dynamic body stands twice. Returns how many colours there are.
size_t ExpectValid(const Coloring& coloring, const std::vector<ContactInput>& contacts,
                   const std::vector<double>& inverse_masses) {
  EXPECT_EQ(coloring.color.size(), contacts.size());
  std::set<std::pair<uint8_t, uint32_t>> taken;
  std::set<uint8_t> colors;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const uint8_t color = coloring.color[i];
    colors.insert(color);
    if (color == kFullColors) continue;
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
    const Coloring coloring = Color(contacts, inverse_masses);
    EXPECT_LT(ExpectValid(coloring, contacts, inverse_masses), kFullColors);
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
  const Coloring coloring = Color(contacts, inverse_masses);
  EXPECT_EQ(ExpectValid(coloring, contacts, inverse_masses), 1u);
}

TEST(Coloring, AHubWithManyContactsOverflowsToOneLastColour) {
  std::vector<ContactInput> contacts(200);
  for (uint32_t i = 0; i < 200; ++i) {
    contacts[i].body_a = 0;
    contacts[i].body_b = i + 1;
  }
  const std::vector<double> inverse_masses(201, 1.0);
  const Coloring coloring = Color(contacts, inverse_masses);
  EXPECT_EQ(ExpectValid(coloring, contacts, inverse_masses), kFullColors + 1);
  EXPECT_EQ(std::ranges::count(coloring.color, kFullColors), 200 - kFullColors);
}

// Where there is room for it: not among the contacts of two dynamic bodies, which come later.
TEST(Coloring, ContactsOfOneDynamicBodyComeFirst) {
  std::vector<ContactInput> contacts(3);
  contacts[0] = Between(1, 2);
  contacts[1] = Between(0, 1);
  contacts[2] = Between(2, 0);
  EXPECT_EQ(Color(contacts, {0.0, 1.0, 1.0}).color, (std::vector<uint8_t>{1, 0, 0}));
}

// Two strands of one phase have colours of their own, and those of a later phase begin anew.
TEST(Coloring, EachStrandIsColouredByItself) {
  std::vector<ContactInput> contacts(3);
  contacts[0] = Between(0, 1);
  contacts[1] = Between(2, 3);
  contacts[2] = Between(1, 2);
  Strands strands;
  strands.contacts = {0, 1, 2};
  strands.begin = {0, 1, 2, 3};
  strands.phase_begin = {0, 2, 3};
  WorkerArena workers(2);
  Coloring coloring;
  ColorContacts(workers, strands, contacts, std::vector<double>(4, 1.0), coloring);
  EXPECT_EQ(coloring.color, (std::vector<uint8_t>{0, 0, 0}));
}

TEST(Coloring, NoContactsNoColours) { EXPECT_TRUE(Color({}, {}).color.empty()); }

}  // namespace
}  // namespace talus
