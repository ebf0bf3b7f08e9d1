// Who sleeps in a step, for any bodies and contacts: islands are stepped or sleep as one, nobody
// sleeps on what moves, nobody is woken without a reason, and falling asleep is not undone by the
// same contacts.
#include <gtest/gtest.h>

#include <vector>

#include "solver/base/random.h"
#include "solver/world/sleepers.h"

namespace talus {
namespace {

constexpr uint64_t kSleepersSeed = 20;
constexpr int kRounds = 300;

bool IsDynamic(const SceneState& state, uint32_t row) {
  return state.bodies.kinds()[row] == BodyKind::kDynamic;
}

bool IsMoving(const SceneState& state, uint32_t row) {
  return state.bodies.kinds()[row] == BodyKind::kKinematic &&
         !state.bodies.linear_velocities()[row].isZero(0.0);
}

// Bodies of all kinds, asleep or at the end of any count; kinematic ones stand or move.
SceneState MakeState(Random& random) {
  SceneState state;
  state.settings.sleep = SleepSettings{0.01, 0.02};
  const uint32_t enough = CountStillSteps(*state.settings.sleep, state.settings.time_step_s);
  ShapeRow ball;
  ball.geometry = Sphere{0.1};
  const uint64_t count = 2 + random.Next() % 40;
  for (uint64_t index = 0; index < count; ++index) {
    BodyRow row;
    const uint64_t kind = random.Next() % 12;
    row.kind = kind == 0   ? BodyKind::kStatic
               : kind <= 2 ? BodyKind::kKinematic
                           : BodyKind::kDynamic;
    row.mass = 1.0;
    row.inertia_body = Mat3::Identity();
    row.shapes = {&ball, 1};
    if (kind == 1) row.linear_velocity = Vec3(0.0, 1.0, 0.0);
    if (row.kind == BodyKind::kDynamic) {
      row.still_steps = random.Next() % 4 != 0
                            ? BodyStore::kAsleep
                            : static_cast<uint32_t>(random.Next() % (enough + 1));
    }
    state.bodies.Add(row);
  }
  return state;
}

std::vector<ContactInput> MakeContacts(const SceneState& state, Random& random) {
  std::vector<ContactInput> contacts;
  const uint64_t count = state.bodies.size();
  for (uint64_t tries = random.Next() % count; tries > 0; --tries) {
    ContactInput contact;
    contact.point = Vec3::Zero();
    contact.normal = Vec3::UnitZ();
    contact.body_a = static_cast<uint32_t>(random.Next() % count);
    contact.body_b = static_cast<uint32_t>(random.Next() % count);
    const bool movable = IsDynamic(state, contact.body_a) || IsDynamic(state, contact.body_b);
    if (movable && contact.body_a != contact.body_b) contacts.push_back(contact);
  }
  return contacts;
}

TEST(SleepersProperty, NoContactJoinsASleeperToWhatIsAwakeOrMoves) {
  SCOPED_TRACE(::testing::Message() << "seed " << kSleepersSeed);
  Random random(kSleepersSeed);
  Sleepers sleepers;
  for (int round = 0; round < kRounds; ++round) {
    const SceneState state = MakeState(random);
    const std::vector<ContactInput> contacts = MakeContacts(state, random);
    sleepers.FindSleepers(state, contacts);
    int64_t count = 0;
    for (uint32_t row = 0; row < state.bodies.size(); ++row) {
      count += sleepers.asleep(row) ? 1 : 0;
      EXPECT_LE(sleepers.asleep(row), state.bodies.asleep(row));
    }
    EXPECT_EQ(sleepers.count(), count);
    for (const ContactInput& contact : contacts) {
      for (const auto& [one, other] :
           {std::pair(contact.body_a, contact.body_b), std::pair(contact.body_b, contact.body_a)}) {
        if (!sleepers.asleep(one)) continue;
        EXPECT_FALSE(IsMoving(state, other));
        EXPECT_EQ(sleepers.asleep(other), IsDynamic(state, other));
      }
    }
  }
}

// By the plain definition: being awake spreads along contacts until nothing changes.
TEST(SleepersProperty, NobodyIsWokenWithoutAReason) {
  SCOPED_TRACE(::testing::Message() << "seed " << kSleepersSeed);
  Random random(kSleepersSeed);
  Sleepers sleepers;
  for (int round = 0; round < kRounds; ++round) {
    const SceneState state = MakeState(random);
    const std::vector<ContactInput> contacts = MakeContacts(state, random);
    sleepers.FindSleepers(state, contacts);
    std::vector<bool> awake(state.bodies.size());
    for (uint32_t row = 0; row < awake.size(); ++row) {
      awake[row] = IsMoving(state, row) || (IsDynamic(state, row) && !state.bodies.asleep(row));
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const ContactInput& contact : contacts) {
        for (const auto& [from, to] : {std::pair(contact.body_a, contact.body_b),
                                       std::pair(contact.body_b, contact.body_a)}) {
          if (!awake[from] || awake[to] || !IsDynamic(state, to)) continue;
          awake[to] = true;
          changed = true;
        }
      }
    }
    for (uint32_t row = 0; row < awake.size(); ++row) {
      EXPECT_EQ(sleepers.asleep(row), IsDynamic(state, row) && !awake[row]);
    }
  }
}

TEST(SleepersProperty, WhoFellAsleepSleepsOnWithTheSameContacts) {
  SCOPED_TRACE(::testing::Message() << "seed " << kSleepersSeed);
  Random random(kSleepersSeed);
  WorkerArena workers(1);
  Sleepers sleepers;
  int fallen = 0;
  for (int round = 0; round < kRounds; ++round) {
    SceneState state = MakeState(random);
    const std::vector<ContactInput> contacts = MakeContacts(state, random);
    sleepers.FindSleepers(state, contacts);
    const int64_t before = sleepers.count();
    std::vector<Vec3> linear(state.bodies.size());
    std::vector<Vec3> angular(state.bodies.size(), Vec3::Zero());
    for (Vec3& velocity : linear) {
      velocity = Vec3(0.0, 0.0, random.Next() % 8 == 0 ? 0.02 : 0.005);
    }
    sleepers.FallAsleep(workers, state, linear, angular);
    for (size_t row = 0; row < state.bodies.size(); ++row) {
      // Whoever was woken counts from the beginning.
      if (!state.bodies.asleep(row) || sleepers.asleep(row)) continue;
      EXPECT_LE(sleepers.still_steps()[row], 1u);
    }
    state.bodies.SwapStillSteps(sleepers.still_steps());
    int64_t after = 0;
    for (size_t row = 0; row < state.bodies.size(); ++row) {
      if (!state.bodies.asleep(row)) continue;
      ++after;
      EXPECT_TRUE(sleepers.asleep(row) || linear[row].isZero(0.0));
    }
    EXPECT_GE(after, before);
    fallen += after > before ? 1 : 0;
    sleepers.FindSleepers(state, contacts);
    EXPECT_EQ(sleepers.count(), after);
  }
  EXPECT_GT(fallen, 20);
}

}  // namespace
}  // namespace talus
