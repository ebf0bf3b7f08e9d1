#include "server/runtime/stop_condition.h"

#include <algorithm>

#include "server/session/error.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

// Far beyond any scene, and exact in steps.
constexpr double kMostTimeS = 1e15;

absl::StatusOr<BodyId> FindBody(const World& world, const char* field, const std::string& name) {
  const BodyStateView bodies = world.bodies();
  for (size_t row = 0; row < bodies.ids.size(); ++row) {
    if (world.body_name(row) == name) return bodies.ids[row];
  }
  return NotFoundError(std::string("until.contact.") + field, name);
}

std::optional<uint32_t> FindRow(const BodyStateView& bodies, BodyId body) {
  const auto found = std::ranges::lower_bound(bodies.ids, body);
  if (found == bodies.ids.end() || *found != body) return std::nullopt;
  return static_cast<uint32_t>(found - bodies.ids.begin());
}

bool IsSlow(const World& world, const RestCondition& rest) {
  const BodyStateView bodies = world.bodies();
  for (size_t row = 0; row < bodies.ids.size(); ++row) {
    if (bodies.kinds[row] != BodyKind::kDynamic) continue;
    if (bodies.linear_velocities[row].norm() > rest.speed_m_s) return false;
    if (bodies.angular_velocities[row].norm() > rest.angular_speed_rad_s) return false;
  }
  return true;
}

absl::Status ValidateRest(const FieldPath& until, const RestCondition& rest) {
  const FieldPath path(until, "rest");
  TALUS_RETURN_IF_ERROR(
      CheckPositive(FieldPath(path, "speed_m_s"), rest.speed_m_s, 0.0, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(path, "angular_speed_rad_s"),
                                      rest.angular_speed_rad_s, 0.0, kMaxAngularSpeedRadS));
  return CheckNotNegative(FieldPath(path, "for_s"), rest.for_s, kMostTimeS);
}

absl::Status ValidateContact(const FieldPath& until, const ContactCondition& contact) {
  const FieldPath path(until, "contact");
  TALUS_RETURN_IF_ERROR(CheckName(FieldPath(path, "body_a"), contact.body_a));
  if (contact.body_b.empty()) return absl::OkStatus();
  TALUS_RETURN_IF_ERROR(CheckName(FieldPath(path, "body_b"), contact.body_b));
  if (contact.body_a != contact.body_b) return absl::OkStatus();
  return FieldError(FieldPath(path, "body_b").ToString(), FormatValue(contact.body_b),
                    "must differ from body_a");
}

}  // namespace

absl::Status ValidateStopCondition(const StopCondition& condition) {
  const FieldPath until("until");
  if (condition.time_s.has_value()) {
    TALUS_RETURN_IF_ERROR(
        CheckNotNegative(FieldPath(until, "time_s"), *condition.time_s, kMostTimeS));
  }
  if (condition.rest.has_value()) TALUS_RETURN_IF_ERROR(ValidateRest(until, *condition.rest));
  if (condition.contact.has_value())
    TALUS_RETURN_IF_ERROR(ValidateContact(until, *condition.contact));
  if (condition.time_s || condition.rest || condition.contact) return absl::OkStatus();
  return FieldError("until", "nothing", "must hold time_s, rest or contact");
}

absl::StatusOr<StopWatch> StopWatch::Start(const StopCondition& condition, const World& world) {
  StopWatch watch(condition);
  if (!condition.contact.has_value()) return watch;
  const absl::StatusOr<BodyId> body_a = FindBody(world, "body_a", condition.contact->body_a);
  if (!body_a.ok()) return body_a.status();
  watch.body_a_ = *body_a;
  if (condition.contact->body_b.empty()) return watch;
  const absl::StatusOr<BodyId> body_b = FindBody(world, "body_b", condition.contact->body_b);
  if (!body_b.ok()) return body_b.status();
  watch.body_b_ = *body_b;
  return watch;
}

StopReason StopWatch::Look(const World& world) {
  const double half_step = 0.5 * world.settings().time_step_s;
  if (condition_.time_s.has_value() && world.time_s() > *condition_.time_s - half_step) {
    return StopReason::kTime;
  }
  if (condition_.rest.has_value() && IsAtRest(world)) return StopReason::kRest;
  if (condition_.contact.has_value() && TouchesAsAsked(world)) return StopReason::kContact;
  return StopReason::kNone;
}

bool StopWatch::IsAtRest(const World& world) {
  if (!IsSlow(world, *condition_.rest)) {
    slow_since_s_ = -1.0;
    return false;
  }
  if (slow_since_s_ < 0.0) slow_since_s_ = world.time_s();
  const double half_step = 0.5 * world.settings().time_step_s;
  return world.time_s() - slow_since_s_ > condition_.rest->for_s - half_step;
}

bool StopWatch::TouchesAsAsked(const World& world) const {
  const BodyStateView bodies = world.bodies();
  const std::optional<uint32_t> a = FindRow(bodies, body_a_);
  const std::optional<uint32_t> b =
      body_b_.has_value() ? FindRow(bodies, *body_b_) : std::optional<uint32_t>();
  if (!a.has_value() || (body_b_.has_value() && !b.has_value())) return false;
  return std::ranges::any_of(world.Contacts(), [&](const ContactRecord& contact) {
    if ((contact.mode & kContactClosed) == 0) return false;
    const bool of_a = contact.body_a_row == *a || contact.body_b_row == *a;
    return of_a && (!b.has_value() || contact.body_a_row == *b || contact.body_b_row == *b);
  });
}

}  // namespace talus
