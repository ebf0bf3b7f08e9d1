#include "solver/state/settings_snapshot.h"

namespace talus {
namespace {

bool ReadFlag(ByteReader& in) {
  const auto flag = in.Read<uint8_t>();
  if (flag > 1) in.Fail();
  return flag == 1;
}

}  // namespace

bool HasLawSettings(const SolverSettings& solver) {
  const SolverSettings defaults;
  return solver.facet_count != defaults.facet_count ||
         solver.bristle_stiffness_n_m != defaults.bristle_stiffness_n_m ||
         solver.slip_threshold_m_s != defaults.slip_threshold_m_s;
}

bool HasPsor(const SolverSettings& solver) { return solver.psor != PsorSettings{}; }

void EncodeSettings(const StepSettings& settings, ByteWriter& out) {
  out.Write(settings.time_step_s);
  out.WriteVector(settings.gravity_world_m_s2);
  out.Write(settings.recovery_speed_m_s);
  out.Write(settings.restitution_threshold_m_s);
  out.Write(settings.solver.law);
  out.Write(settings.solver.solver);
  out.Write(settings.solver.tolerance);
  out.Write(settings.solver.max_sweeps);
  out.Write(static_cast<uint8_t>(settings.solver.warm_start ? 1 : 0));
  if (HasLawSettings(settings.solver)) {
    out.Write(settings.solver.facet_count);
    out.Write(settings.solver.bristle_stiffness_n_m);
    out.Write(settings.solver.slip_threshold_m_s);
  }
  if (HasPsor(settings.solver)) {
    out.Write(settings.solver.psor.relaxation);
    out.Write(settings.solver.psor.averaging);
    out.Write(static_cast<uint8_t>(settings.solver.psor.sequential ? 1 : 0));
  }
  if (settings.sleep.has_value()) {
    out.Write(settings.sleep->speed_m_s);
    out.Write(settings.sleep->time_s);
  }
  if (settings.theta != 1.0) out.Write(settings.theta);
}

StepSettings DecodeSettings(ByteReader& in, const SettingsParts& parts) {
  StepSettings settings;
  settings.time_step_s = in.Read<double>();
  settings.gravity_world_m_s2 = in.ReadVector();
  settings.recovery_speed_m_s = in.Read<double>();
  settings.restitution_threshold_m_s = in.Read<double>();
  settings.solver.law = in.Read<ContactLaw>();
  settings.solver.solver = in.Read<SolverKind>();
  settings.solver.tolerance = in.Read<double>();
  settings.solver.max_sweeps = in.Read<int32_t>();
  settings.solver.warm_start = ReadFlag(in);
  if (parts.law) {
    settings.solver.facet_count = in.Read<int32_t>();
    settings.solver.bristle_stiffness_n_m = in.Read<double>();
    settings.solver.slip_threshold_m_s = in.Read<double>();
    if (!HasLawSettings(settings.solver)) in.Fail();
  }
  if (parts.psor) {
    settings.solver.psor.relaxation = in.Read<double>();
    settings.solver.psor.averaging = in.Read<double>();
    settings.solver.psor.sequential = ReadFlag(in);
    if (!HasPsor(settings.solver)) in.Fail();
  }
  if (parts.sleeps) {
    SleepSettings& sleep = settings.sleep.emplace();
    sleep.speed_m_s = in.Read<double>();
    sleep.time_s = in.Read<double>();
  }
  if (parts.theta) {
    settings.theta = in.Read<double>();
    if (settings.theta == 1.0) in.Fail();
  }
  return settings;
}

}  // namespace talus
