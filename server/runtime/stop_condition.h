// When a StepUntil is done: at a time, at rest, at a contact, whichever comes first.
//
// Looked at between two steps, on the state as it is. Names are found once, when the call begins; a
// body that goes later is in no contact any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/base/ids.h"
#include "solver/world/world.h"

namespace talus {

// Every dynamic body no faster than this, for so long without a break.
struct RestCondition {
  double speed_m_s = 1e-3;            // > 0
  double angular_speed_rad_s = 1e-2;  // > 0
  double for_s = 0.1;                 // simulated, >= 0; 0: one state suffices
};

// A contact that carries a force, between these two; with anything where one is not given.
struct ContactCondition {
  std::string body_a;  // by name
  std::string body_b;  // by name; empty: any other body
};

struct StopCondition {
  std::optional<double> time_s;  // simulated time reached, within half a step
  std::optional<RestCondition> rest;
  std::optional<ContactCondition> contact;
};

enum class StopReason { kNone, kTime, kRest, kContact };

// INVALID_ARGUMENT unless every number is finite and in range and at least one part is set. Paths
// begin with `until`.
absl::Status ValidateStopCondition(const StopCondition& condition);

// A condition at work on one scene, over the steps of one call.
class StopWatch {
 public:
  // NOT_FOUND: no body of that name.
  static absl::StatusOr<StopWatch> Start(const StopCondition& condition, const World& world);

  // To be called before the first step and after each one: which part holds now.
  StopReason Look(const World& world);

 private:
  explicit StopWatch(const StopCondition& condition) : condition_(condition) {}
  bool IsAtRest(const World& world);
  bool TouchesAsAsked(const World& world) const;

  StopCondition condition_;
  BodyId body_a_{};
  std::optional<BodyId> body_b_;
  double slow_since_s_ = -1.0;  // < 0: it was not slow at the last look
};

}  // namespace talus
