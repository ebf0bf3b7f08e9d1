#include "server/wire/settings_codec.h"

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"

namespace talus::wire {

absl::StatusOr<ContactLaw> DecodeLaw(v1::ContactLaw law, const FieldPath& path) {
  switch (law) {
    case v1::CONTACT_LAW_UNSPECIFIED:
    case v1::CONTACT_LAW_NCP:
      return ContactLaw::kNcp;
    case v1::CONTACT_LAW_CCP:
      return ContactLaw::kCcp;
    case v1::CONTACT_LAW_BOX:
      return ContactLaw::kBox;
    case v1::CONTACT_LAW_POLYGONAL:
      return ContactLaw::kPolygonal;
    case v1::CONTACT_LAW_BRISTLE:
      return ContactLaw::kBristle;
    default:
      return FieldError(path.ToString(), std::to_string(static_cast<int>(law)),
                        "must be a value of ContactLaw");
  }
}

PsorSettings DecodePsor(const v1::PsorSettings& message) {
  PsorSettings settings;
  if (message.has_relaxation()) settings.relaxation = message.relaxation();
  if (message.has_averaging()) settings.averaging = message.averaging();
  if (message.has_sequential()) settings.sequential = message.sequential();
  return settings;
}

namespace {

absl::StatusOr<SolverKind> DecodeSolver(v1::ContactSolver solver, const FieldPath& path) {
  switch (solver) {
    case v1::CONTACT_SOLVER_UNSPECIFIED:
      return SolverKind::kLawDefault;
    case v1::CONTACT_SOLVER_ALART_CURNIER:
      return SolverKind::kAlartCurnier;
    case v1::CONTACT_SOLVER_ACCELERATED_PSOR:
      return SolverKind::kAcceleratedPsor;
    case v1::CONTACT_SOLVER_PSOR:
      return SolverKind::kPsor;
    case v1::CONTACT_SOLVER_APGD:
      return SolverKind::kApgd;
    case v1::CONTACT_SOLVER_NEWTON:
      return SolverKind::kNewton;
    case v1::CONTACT_SOLVER_BLOCK_PIVOTING:
      return SolverKind::kBlockPivoting;
    case v1::CONTACT_SOLVER_LEMKE:
      return SolverKind::kLemke;
    case v1::CONTACT_SOLVER_FIXED_POINT:
      return SolverKind::kFixedPoint;
    case v1::CONTACT_SOLVER_EXTRAGRADIENT:
      return SolverKind::kExtragradient;
    case v1::CONTACT_SOLVER_NSGS:
      return SolverKind::kNsgs;
    case v1::CONTACT_SOLVER_BARZILAI_BORWEIN:
      return SolverKind::kBarzilaiBorwein;
    case v1::CONTACT_SOLVER_ADMM:
      return SolverKind::kAdmm;
    default:
      return FieldError(path.ToString(), std::to_string(static_cast<int>(solver)),
                        "must be a value of ContactSolver");
  }
}

v1::ContactLaw EncodeLaw(ContactLaw law) {
  switch (law) {
    case ContactLaw::kNcp:
      return v1::CONTACT_LAW_NCP;
    case ContactLaw::kCcp:
      return v1::CONTACT_LAW_CCP;
    case ContactLaw::kBox:
      return v1::CONTACT_LAW_BOX;
    case ContactLaw::kPolygonal:
      return v1::CONTACT_LAW_POLYGONAL;
    case ContactLaw::kBristle:
      return v1::CONTACT_LAW_BRISTLE;
  }
  return v1::CONTACT_LAW_UNSPECIFIED;
}

v1::ContactSolver EncodeSolver(SolverKind solver) {
  switch (solver) {
    case SolverKind::kLawDefault:
      return v1::CONTACT_SOLVER_UNSPECIFIED;
    case SolverKind::kAlartCurnier:
      return v1::CONTACT_SOLVER_ALART_CURNIER;
    case SolverKind::kAcceleratedPsor:
      return v1::CONTACT_SOLVER_ACCELERATED_PSOR;
    case SolverKind::kPsor:
      return v1::CONTACT_SOLVER_PSOR;
    case SolverKind::kApgd:
      return v1::CONTACT_SOLVER_APGD;
    case SolverKind::kNewton:
      return v1::CONTACT_SOLVER_NEWTON;
    case SolverKind::kBlockPivoting:
      return v1::CONTACT_SOLVER_BLOCK_PIVOTING;
    case SolverKind::kLemke:
      return v1::CONTACT_SOLVER_LEMKE;
    case SolverKind::kFixedPoint:
      return v1::CONTACT_SOLVER_FIXED_POINT;
    case SolverKind::kExtragradient:
      return v1::CONTACT_SOLVER_EXTRAGRADIENT;
    case SolverKind::kNsgs:
      return v1::CONTACT_SOLVER_NSGS;
    case SolverKind::kBarzilaiBorwein:
      return v1::CONTACT_SOLVER_BARZILAI_BORWEIN;
    case SolverKind::kAdmm:
      return v1::CONTACT_SOLVER_ADMM;
  }
  return v1::CONTACT_SOLVER_UNSPECIFIED;
}

absl::StatusOr<SolverSettings> DecodeSolverSettings(const v1::SolverSettings& message,
                                                    const FieldPath& path) {
  SolverSettings settings;
  absl::StatusOr<ContactLaw> law = DecodeLaw(message.law(), FieldPath(path, "law"));
  if (!law.ok()) return law.status();
  settings.law = *law;
  absl::StatusOr<SolverKind> solver = DecodeSolver(message.solver(), FieldPath(path, "solver"));
  if (!solver.ok()) return solver.status();
  settings.solver = *solver;
  if (message.has_tolerance()) settings.tolerance = message.tolerance();
  if (message.has_max_sweeps()) settings.max_sweeps = message.max_sweeps();
  if (message.has_warm_start()) settings.warm_start = message.warm_start();
  if (message.has_facet_count()) settings.facet_count = message.facet_count();
  if (message.has_bristle_stiffness_n_m()) {
    settings.bristle_stiffness_n_m = message.bristle_stiffness_n_m();
  }
  if (message.has_slip_threshold_m_s()) settings.slip_threshold_m_s = message.slip_threshold_m_s();
  if (!message.has_psor()) return settings;
  // Beside another solver it would be lost, even where it holds the defaults.
  if (settings.solver != SolverKind::kPsor) {
    return FieldError(FieldPath(path, "psor").ToString(), "given",
                      "must be left out unless the solver is PSOR");
  }
  settings.psor = DecodePsor(message.psor());
  return settings;
}

}  // namespace

absl::StatusOr<StepSettings> DecodeSettings(const v1::StepSettings& message,
                                            const FieldPath& path) {
  StepSettings settings;
  if (message.has_time_step_s()) settings.time_step_s = message.time_step_s();
  if (message.has_gravity_world_m_s2()) {
    settings.gravity_world_m_s2 = DecodeVector(message.gravity_world_m_s2());
  }
  if (message.has_theta()) settings.theta = message.theta();
  if (message.has_recovery_speed_m_s()) {
    settings.recovery_speed_m_s = message.recovery_speed_m_s();
  }
  if (message.has_restitution_threshold_m_s()) {
    settings.restitution_threshold_m_s = message.restitution_threshold_m_s();
  }
  absl::StatusOr<SolverSettings> solver =
      DecodeSolverSettings(message.solver(), FieldPath(path, "solver"));
  if (!solver.ok()) return solver.status();
  settings.solver = *solver;
  if (message.has_sleep()) {
    SleepSettings& sleep = settings.sleep.emplace();
    if (message.sleep().has_speed_m_s()) sleep.speed_m_s = message.sleep().speed_m_s();
    if (message.sleep().has_time_s()) sleep.time_s = message.sleep().time_s();
  }
  return settings;
}

void EncodeSolverSettings(const SolverSettings& settings, v1::SolverSettings& message) {
  message.set_law(EncodeLaw(settings.law));
  message.set_solver(EncodeSolver(settings.solver));
  message.set_tolerance(settings.tolerance);
  message.set_max_sweeps(settings.max_sweeps);
  message.set_warm_start(settings.warm_start);
  message.set_facet_count(settings.facet_count);
  message.set_bristle_stiffness_n_m(settings.bristle_stiffness_n_m);
  message.set_slip_threshold_m_s(settings.slip_threshold_m_s);
  if (settings.solver != SolverKind::kPsor) return;
  message.mutable_psor()->set_relaxation(settings.psor.relaxation);
  message.mutable_psor()->set_averaging(settings.psor.averaging);
  message.mutable_psor()->set_sequential(settings.psor.sequential);
}

void EncodeSettings(const StepSettings& settings, v1::StepSettings& message) {
  message.set_time_step_s(settings.time_step_s);
  EncodeVector(settings.gravity_world_m_s2, *message.mutable_gravity_world_m_s2());
  message.set_theta(settings.theta);
  message.set_recovery_speed_m_s(settings.recovery_speed_m_s);
  message.set_restitution_threshold_m_s(settings.restitution_threshold_m_s);
  EncodeSolverSettings(settings.solver, *message.mutable_solver());
  if (!settings.sleep.has_value()) return;
  message.mutable_sleep()->set_speed_m_s(settings.sleep->speed_m_s);
  message.mutable_sleep()->set_time_s(settings.sleep->time_s);
}

}  // namespace talus::wire
