#include "tests/scenes/guideway.h"

#include <cmath>
#include <numbers>

namespace talus::scenes {
namespace {

constexpr double kPitch = 6.6e-3;        // between balls, m
constexpr double kHalfRail = 17.5e-3;    // half of the 35 mm, m
constexpr double kRowHeight = 8e-3;      // of a row above or below the middle, m
constexpr double kRaceLength = 0.3;      // half, m
constexpr double kRaceThickness = 2e-3;  // half, m
constexpr double kOutOfReach = 1.0;      // a speed that the load never comes to, m/s

// One row of balls: where it is, and where the rail pushes its balls to.
struct BallRow {
  Vec3 center;
  Vec3 normal;
  bool upper = false;
};

BallRow RowAt(int index) {
  const double up = index < 2 ? 1.0 : -1.0;
  const double out = index % 2 == 0 ? 1.0 : -1.0;
  return {Vec3(0.0, up * kRowHeight, out * kHalfRail), Vec3(0.0, up, out) / std::numbers::sqrt2,
          up > 0.0};
}

// A race whose face is `distance` along the normal from the middle of the row, and which lies
// beyond it.
ShapeDef MakeRace(const BallRow& row, double distance) {
  ShapeDef race;
  race.geometry = Box{Vec3(kRaceLength, kRaceThickness, kRaceThickness)};
  const double beyond = distance > 0.0 ? kRaceThickness : -kRaceThickness;
  race.pose_body.position = row.center + (distance + beyond) * row.normal;
  race.pose_body.orientation =
      Quat(Eigen::AngleAxisd(std::atan2(row.normal.z(), row.normal.y()), Vec3::UnitX()));
  race.material = "steel";
  return race;
}

JointDef OnBlock(const char* name) {
  JointDef joint;
  joint.name = name;
  joint.body_b = "block";
  return joint;
}

void AddJoints(const Guideway& guideway, SceneDef& scene) {
  JointDef guide = OnBlock("guide");
  for (int k = kRotations; k < 6; ++k) guide.axes[k] = JointAxis::Locked();
  JointDef drive = OnBlock("drive");
  drive.axes[0] = JointAxis::Motor(guideway.drive_speed_m_s, guideway.drive_force_n);
  JointDef load = OnBlock("load");
  load.axes[1] =
      guideway.stiffness_n_m > 0.0
          ? JointAxis::Spring(-guideway.load_n / guideway.stiffness_n_m, guideway.stiffness_n_m)
          : JointAxis::Motor(-kOutOfReach, guideway.load_n);
  JointDef seal = OnBlock("seal");
  seal.axes[0] = JointAxis::Friction(guideway.seal_n);
  scene.joints = {guide, drive, load, seal};
}

}  // namespace

void Guideway::Preload() {
  stiffness_n_m = HertzStiffness();
  tolerance = 1e-6;
  max_sweeps = 2000;
}

SceneDef Guideway::Build() const {
  SceneDef scene;
  scene.materials.push_back({"steel", {sliding_friction, rolling_friction_m, 0.0, 0.0}});
  scene.settings.time_step_s = time_step_s;
  scene.settings.gravity_world_m_s2 = Vec3::Zero();
  scene.settings.solver.law = law;
  scene.settings.solver.solver = SolverKind::kNewton;
  scene.settings.solver.tolerance = tolerance;
  scene.settings.solver.max_sweeps = max_sweeps;
  BodyDef rail;
  rail.name = "rail";
  rail.kind = BodyKind::kStatic;
  BodyDef block;
  block.name = "block";
  block.mass_kg = kBlockMass;
  block.linear_velocity_world_m_s = Vec3(speed_m_s, 0.0, 0.0);
  std::vector<BodyDef> balls;
  for (int index = 0; index < kRows; ++index) {
    const BallRow row = RowAt(index);
    // The clearance is all in the rail, so that the block keeps its centre of mass.
    const double clearance = row.upper ? 0.0 : kClearance;
    rail.shapes.push_back(MakeRace(row, -kBallRadius - 2.0 * clearance));
    block.shapes.push_back(MakeRace(row, kBallRadius));
    for (int k = 0; k < kBallsInRow; ++k) {
      BodyDef& ball = balls.emplace_back();
      ball.pose_world.position =
          row.center - clearance * row.normal + Vec3((k - kBallsInRow / 2) * kPitch, 0.0, 0.0);
      ball.shapes.resize(1);
      ball.shapes[0].geometry = Sphere{kBallRadius};
      ball.shapes[0].material = "steel";
      ball.density_kg_m3 = kSteelDensity;
      if (!row.upper) continue;
      // Half as fast as the block, turning so that the ball's point at the rail rests:
      // v + ω × (−R n) = 0.
      ball.linear_velocity_world_m_s = Vec3(0.5 * speed_m_s, 0.0, 0.0);
      ball.angular_velocity_world_rad_s =
          row.normal.cross(ball.linear_velocity_world_m_s) / kBallRadius;
    }
  }
  scene.bodies = {rail, block};
  scene.bodies.insert(scene.bodies.end(), balls.begin(), balls.end());
  AddJoints(*this, scene);
  return scene;
}

double HertzStiffness() {
  constexpr double kModulus = 210e9;
  constexpr double kPoisson = 0.3;
  const double effective = kModulus / (2.0 * (1.0 - kPoisson * kPoisson));
  const double force = 490.0 / std::numbers::sqrt2 / kBallsInRow;
  const double contact = std::cbrt(6.0 * effective * effective * kBallRadius * force);
  // Two rows at 45°: 2 cos² = 1.
  return kBallsInRow * contact / 2.0;
}

double DriveForce(const World& world) {
  for (const JointRecord& joint : world.Joints()) {
    if (joint.name == "drive") return joint.force_n.x();
  }
  return std::nan("");
}

RowLoads SumNormalForces(const World& world) {
  RowLoads loads;
  for (const ContactRecord& contact : world.Contacts()) {
    if (contact.body_a_row != kBlockRow) continue;
    const double force = contact.wrench_contact[0];
    const bool upper = contact.point_world.y() > 0.0;
    (upper ? loads.upper : loads.lower) += force;
    if (upper && contact.point_world.z() < 0.0) loads.left += force;
  }
  return loads;
}

}  // namespace talus::scenes
