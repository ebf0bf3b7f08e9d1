// What the convex relaxation (CCP) does to a moving contact, at its predicted size, and that the
// exact law (NCP) does not: under CCP the next gap is Φ⁺ = h A_r(v⁺) with A_r = μ‖u_T‖ + ρ‖ω_T‖ +
// σ|ω_n|; under NCP it is zero.
#include <cmath>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

struct Motion {
  const char* name;
  double speed;
  double spin;
  double vertical_spin;
  Material material;
};

const Motion kMotions[] = {
    {"slide", 3.0, 0.0, 0.0, {0.2, 0.0, 0.0, 0.0}},
    {"roll", 2.0, 2.0, 0.0, {0.8, 0.02, 0.0, 0.0}},
    {"spin", 0.0, 0.0, 3.0, {0.8, 0.02, 0.01, 0.0}},
};

struct Gaps {
  double gap = 0.0;
  double predicted = 0.0;
};

Gaps GapAfter(const Motion& motion, ContactLaw law, double h) {
  scenes::BallOnPlane ball;
  ball.speed_m_s = motion.speed;
  ball.spin_rad_s = motion.spin;
  ball.vertical_spin_rad_s = motion.vertical_spin;
  ball.time_step_s = h;
  ball.material = motion.material;
  ball.solver.law = law;
  ball.solver.tolerance = 1e-13;
  ball.solver.max_sweeps = 100000;
  World world = MakeWorld(ball.Build());
  // The first step throws the ball up at A_r; after 0.3 s it is back and follows its gap.
  const Moment before = RunUntil(world, 1, 0.3, [](const Moment&) { return false; });
  StepWorld(world);
  const Moment m = BodyMoment(world, 1);
  // The arm to the contact point of this step; without a contact the prediction would be off and
  // the case fail.
  const std::vector<ContactRecord> contacts = world.Contacts();
  const Vec3 arm =
      contacts.empty() ? Vec3::Zero() : Vec3(contacts[0].point_world - before.position);
  const Vec3 slip = m.velocity + m.spin.cross(arm);
  const double shift = motion.material.sliding_friction * std::hypot(slip.x(), slip.y()) +
                       motion.material.rolling_friction_m * std::hypot(m.spin.x(), m.spin.y()) +
                       motion.material.spinning_friction_m * std::abs(m.spin.z());
  return {m.position.z() - 1.0, h * shift};
}

}  // namespace

void AddLawArtefacts(ResultSheet& sheet) {
  for (const Motion& motion : kMotions) {
    const std::string name = motion.name;
    const Gaps ccp = GapAfter(motion, ContactLaw::kCcp, 0.01);
    const Gaps half = GapAfter(motion, ContactLaw::kCcp, 0.005);
    const Gaps ncp = GapAfter(motion, ContactLaw::kNcp, 0.01);
    // Exact up to the solver's tolerance, 10⁻¹³ of velocities of some m/s.
    sheet.Add({"ccp-lift-" + name, "TA eq. 20", ccp.gap, ccp.predicted, 1e-12, "m"});
    // Halving h halves the lift; the slide differs a little, its first flight taking another share
    // of the 0.3 s.
    sheet.Add(
        {"ccp-lift-order-" + name, "TA eq. 20", std::log2(ccp.gap / half.gap), 1.0, 0.1, "-"});
    sheet.Add({"ncp-gap-" + name, "AB eq. 13", ncp.gap, 0.0, 1e-12, "m"});
  }
}

}  // namespace talus::validation
