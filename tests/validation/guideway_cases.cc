// The linear guideway of [TA] §6.2: what it takes to move a block that is loaded with F_y and rolls
// on balls, F_x = √2 ζ F_y + S (docs/NOTATION.md has the symbols).
//
// Two rows at 45° carry F_y, so the balls press with ΣN = √2 F_y together, and each resists with
// (ρ / R_b) N: at both of its contacts a torque ρ N, and a force T at the block that turns it,
// 2 T R_b = 2 ρ N. With ρ = ζ R_b this is F_x = √2 ζ F_y = 3.465 N; the maker's law, F_x = ζ F_y +
// S, counts the load instead of what the balls carry, and comes out with ρ = ζ R_b / √2.
//
// CCP lifts each contact by g = h ρ |ω|, and the block, at two contacts a ball, by √2 · 2 g. Under
// a force that changes nothing but the arm of the friction, R_b + g/2. Where something resists, as
// in a preloaded block, here a spring k, the balls press by k times the lift more, and F_x with
// them. k is Hertz' tangent stiffness of the loaded rows; with another the error is another, in
// proportion.
#include <cmath>
#include <numbers>

#include "tests/scenes/guideway.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

using scenes::DriveForce;
using scenes::Guideway;
using scenes::kBallRadius;
using scenes::SumNormalForces;

constexpr double kRoot2 = std::numbers::sqrt2;
constexpr double kZeta = 0.005;
constexpr double kLoad = 490.0;
constexpr double kSeal = 5.3;
constexpr double kPaperRho = kZeta * kBallRadius;
constexpr double kMakerRho = kPaperRho / kRoot2;
constexpr double kDrag = kRoot2 * kZeta * kLoad;
// Force and loads follow from impulses that are right to the tolerance, 10⁻¹⁰ of what drives the
// step; a hundredfold of it.
constexpr double kExact = 1e-8;

// After ten steps in motion.
World Roll(const Guideway& guideway) {
  World world = MakeWorld(guideway.Build());
  StepWorld(world, 10);
  return world;
}

double DragOf(double rho, double seal) {
  Guideway guideway;
  guideway.rolling_friction_m = rho;
  guideway.seal_n = seal;
  return DriveForce(Roll(guideway));
}

Guideway Preloaded(ContactLaw law, double time_step_s, double rho) {
  Guideway guideway;
  guideway.law = law;
  guideway.rolling_friction_m = rho;
  guideway.time_step_s = time_step_s;
  guideway.Preload();
  return guideway;
}

// How much higher CCP lifts the block, m, and the drag it comes to.
struct Lifted {
  double height = 0.0;
  double drag = 0.0;
};

Lifted PredictLift(double time_step_s, double rho, double speed, double stiffness) {
  // Of one contact; the ball turns about the middle of its gaps, g/2 from its surface.
  const double gap = time_step_s * rho * speed / (2.0 * kBallRadius);
  const double arm = kBallRadius + 0.5 * gap;
  const double height = kRoot2 * time_step_s * rho * speed / arm;
  return {height, kRoot2 * rho / arm * (kLoad + stiffness * height)};
}

void AddDrags(ResultSheet& sheet) {
  const World world = Roll(Guideway());
  const scenes::RowLoads loads = SumNormalForces(world);
  sheet.Add({"guideway-load", "TA §6.2", loads.upper, kRoot2 * kLoad, kExact * kLoad, "N"});
  sheet.Add({"guideway-row", "TA §6.2", loads.left, kLoad / kRoot2, kExact * kLoad, "N"});
  sheet.Add({"guideway-other-rows", "TA §6.2", loads.lower, 0.0, kExact * kLoad, "N"});
  sheet.Add({"guideway-drag", "TA §6.2", DriveForce(world), kDrag, kExact * kLoad, "N"});
  sheet.Add({"guideway-drag-seal", "TA §6.2", DragOf(kPaperRho, kSeal), kDrag + kSeal,
             kExact * kLoad, "N"});
  sheet.Add(
      {"guideway-maker", "TA §6.2", DragOf(kMakerRho, 0.0), kZeta * kLoad, kExact * kLoad, "N"});
  sheet.Add({"guideway-maker-seal", "TA §6.2", DragOf(kMakerRho, kSeal), kZeta * kLoad + kSeal,
             kExact * kLoad, "N"});
  for (const double mu : {0.1, 0.2}) {
    Guideway guideway;
    guideway.sliding_friction = mu;
    // Nothing slides: the force is that of rolling whatever μ is.
    sheet.Add({mu < 0.15 ? "guideway-mu-0.1" : "guideway-mu-0.2", "TA §6.2",
               DriveForce(Roll(guideway)), kDrag, kExact * kLoad, "N"});
  }
}

// A force F on the block at rest, for a tenth of a second.
double SpeedUnder(double force, double seal) {
  Guideway guideway;
  guideway.speed_m_s = 0.0;
  guideway.drive_speed_m_s = std::copysign(1.0, force);  // out of reach
  guideway.drive_force_n = std::abs(force);
  guideway.seal_n = seal;
  World world = MakeWorld(guideway.Build());
  StepWorld(world, 100);
  return BodyMoment(world, scenes::kBlockRow).velocity.x();
}

void AddRest(ResultSheet& sheet) {
  // What 18 balls add to the block's inertia: half its speed, and 2/5 m R² at v / 2 R.
  const double ball = scenes::kSteelDensity * 4.0 / 3.0 * std::numbers::pi * kBallRadius *
                      kBallRadius * kBallRadius;
  const double mass = scenes::kBlockMass + 18 * ball * 0.25 * (1.0 + 0.4);
  for (const double seal : {0.0, kSeal}) {
    const std::string name = seal > 0.0 ? "-seal" : "";
    const double least = kDrag + seal;
    // At rest a step leaves 10⁻¹⁰ of its impulses, h F over 2 kg, in each of 100 steps.
    for (const double share : {0.5, 0.99, -0.99}) {
      sheet.Add({"guideway-sticks" + name +
                     (share < 0.0   ? "-back"
                      : share < 0.9 ? "-half"
                                    : ""),
                 "TA §6.2", SpeedUnder(share * least, seal), 0.0, 1e-8, "m/s"});
    }
    sheet.Add({"guideway-moves" + name, "TA §6.2", SpeedUnder(1.01 * least, seal),
               0.01 * least * 0.1 / mass, 1e-6, "m/s"});
  }
}

void AddLifts(ResultSheet& sheet) {
  Guideway open;
  open.law = ContactLaw::kCcp;
  const Lifted free_lift = PredictLift(open.time_step_s, kPaperRho, open.speed_m_s, 0.0);
  const World lifted = Roll(open);
  sheet.Add({"guideway-ccp-lift", "TA eq. 20", BodyMoment(lifted, scenes::kBlockRow).position.y(),
             free_lift.height, 1e-10, "m"});
  // 10⁻⁸ of the load as under NCP, and of what the first steps threw up what is left after ten.
  sheet.Add({"guideway-ccp-open", "TA eq. 20", DriveForce(lifted), free_lift.drag, 1e-6, "N"});
  for (const double h : {0.01, 0.001}) {
    const std::string step = h > 0.005 ? "-h10" : "-h1";
    const double k = scenes::HertzStiffness();
    const Lifted closed = PredictLift(h, kPaperRho, 0.1, k);
    // See Guideway::Preload for what the residual leaves.
    const double tolerance = 1e-4 * closed.drag;
    const World ccp = Roll(Preloaded(ContactLaw::kCcp, h, kPaperRho));
    sheet.Add(
        {"guideway-ccp-closed" + step, "TA eq. 20", DriveForce(ccp), closed.drag, tolerance, "N"});
    const World ncp = Roll(Preloaded(ContactLaw::kNcp, h, kPaperRho));
    sheet.Add({"guideway-ncp-closed" + step, "TA §6.2", DriveForce(ncp), kDrag, 1e-4 * kDrag, "N"});
  }
}

}  // namespace

void AddGuideway(ResultSheet& sheet) {
  AddDrags(sheet);
  AddRest(sheet);
  AddLifts(sheet);
}

}  // namespace talus::validation
