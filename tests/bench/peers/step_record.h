// One step as an engine made it: the state before, the contacts it found with the impulse each one
// carried, and the velocities it ended with. What quality is judged by (record_quality.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/peers/peer_state.h"

namespace talus::peers {

struct RecordContact {
  uint32_t body_a = 0;  // rows of the state's bodies
  uint32_t body_b = 0;
  Vec3 point = Vec3::Zero();           // world, m
  Vec3 normal = Vec3::Zero();          // unit, from a to b
  double gap_m = 0.0;                  // < 0 when overlapping, at the start of the step
  Vec3 linear_impulse = Vec3::Zero();  // on body b, world, N s
  Vec3 angular_impulse =
      Vec3::Zero();  // on body b about the point, beside that of the force; N m s
};

struct StepRecord {
  PeerState before;
  std::vector<RecordContact> contacts;
  std::vector<Vec3> linear_after;   // by body, m/s
  std::vector<Vec3> angular_after;  // rad/s
};

std::string ToJson(const StepRecord& record);
// INVALID_ARGUMENT names what is wrong with the text.
absl::StatusOr<StepRecord> ParseStepRecord(const std::string& text);

}  // namespace talus::peers
