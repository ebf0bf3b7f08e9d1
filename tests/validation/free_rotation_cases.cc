// A free box turning about its middle axis, the unstable one. Linear momentum is exact. The
// implicit gyroscopic step never gains energy (an explicit one does) and loses it to first order in
// h, as it does angular momentum.
#include <cmath>

#include "solver/scene/scene_def.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

// Half extents 0.1, 0.2, 0.3 m and 10 kg: J = m/3 (b² + c², a² + c², a² + b²).
const Vec3 kInertia = 10.0 / 3.0 * Vec3(0.13, 0.10, 0.05);

struct Drift {
  double largest_gain = 0.0;    // of rotational energy, relative, in one step
  double energy_loss = 0.0;     // over the run, relative
  double momentum_error = 0.0;  // of the angular momentum vector, relative
  double linear_error = 0.0;    // m/s
};

double Energy(const Moment& m) {
  const Vec3 body = m.orientation.conjugate() * m.spin;
  return 0.5 * body.dot(kInertia.cwiseProduct(body));
}

Vec3 Momentum(const Moment& m) {
  return m.orientation * kInertia.cwiseProduct(m.orientation.conjugate() * m.spin);
}

Drift Tumble(double h) {
  SceneDef scene;
  scene.settings.time_step_s = h;
  scene.settings.gravity_world_m_s2 = Vec3::Zero();
  BodyDef box;
  box.shapes.push_back({Box{Vec3(0.1, 0.2, 0.3)}, Pose{}, ""});
  box.mass_kg = 10.0;
  box.linear_velocity_world_m_s = Vec3(0.3, -0.2, 0.7);
  box.angular_velocity_world_rad_s = Vec3(0.01, 3.0, 0.02);
  scene.bodies.push_back(box);
  World world = MakeWorld(scene);
  const Moment start = BodyMoment(world, 0);
  Drift drift;
  Moment last = start;
  while (world.time_s() < 10.0 - 0.5 * h) {
    StepWorld(world);
    const Moment now = BodyMoment(world, 0);
    drift.largest_gain = std::max(drift.largest_gain, Energy(now) / Energy(last) - 1.0);
    last = now;
  }
  drift.energy_loss = 1.0 - Energy(last) / Energy(start);
  drift.momentum_error = (Momentum(last) - Momentum(start)).norm() / Momentum(start).norm();
  drift.linear_error = (last.velocity - start.velocity).norm();
  return drift;
}

}  // namespace

void AddFreeRotation(ResultSheet& sheet) {
  const Drift coarse = Tumble(0.002);
  const Drift fine = Tumble(0.001);
  sheet.Add({"free-rotation-linear-momentum", "Newton", coarse.linear_error, 0.0, 0.0, "m/s"});
  // Rounding of the energy itself, about ten operations.
  sheet.Add({"free-rotation-energy-gain", "Euler", coarse.largest_gain, 0.0, 1e-14, "-"});
  // A step loses exactly ½ d·J d, d = h ω' its change of spin: first order on a given path. The
  // paths of the two steps part by their own drift, a few per cent of the spin: log2 1.11 = 0.15.
  sheet.Add({"free-rotation-energy-order", "Euler",
             std::log2(coarse.energy_loss / fine.energy_loss), 1.0, 0.15, "-"});
  // A step turns J ω by exp(h ω) where the implicit equation asks for 1 + h ω×: an error of
  // h²/2 ω × (ω × J ω), relative to |J ω| at most h²/2 ω² sin(ω, J ω). Energy bounds ω² by
  // 2E / J_min, and the sine by (J_max − J_min) / (J_max + J_min). 10 s of h = 10⁻³ s:
  const double spin_squared = 9.0 * kInertia.y() / kInertia.z();
  const double sine = (kInertia.x() - kInertia.z()) / (kInertia.x() + kInertia.z());
  sheet.Add({"free-rotation-momentum-error", "Euler", fine.momentum_error, 0.0,
             0.5 * 1e-3 * 10.0 * spin_squared * sine, "-"});
}

}  // namespace talus::validation
