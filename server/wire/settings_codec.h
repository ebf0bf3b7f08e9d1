// Step and solver settings between the wire and the solver's descriptions. An unset field takes the
// solver's default; an unknown enum value is INVALID_ARGUMENT with the field's path.
#pragma once

#include "absl/status/statusor.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/step_settings.h"
#include "talus/v1/step_settings.pb.h"

namespace talus::wire {

absl::StatusOr<StepSettings> DecodeSettings(const v1::StepSettings& message, const FieldPath& path);
absl::StatusOr<ContactLaw> DecodeLaw(v1::ContactLaw law, const FieldPath& path);
PsorSettings DecodePsor(const v1::PsorSettings& message);
// Every field set, so that a reader sees the defaults that are in force; psor where it is PSOR's.
void EncodeSettings(const StepSettings& settings, v1::StepSettings& message);
void EncodeSolverSettings(const SolverSettings& settings, v1::SolverSettings& message);

}  // namespace talus::wire
