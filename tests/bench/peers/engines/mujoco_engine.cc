// MuJoCo 2.2: condim 6 with elliptic cones; --solver newton (default), cg or pgs. The gap row is
// made like ours as far as soft contacts allow: reference acceleration -v/h - gap/h², so that a
// step closes the gap, and the highest impedance, 0.9999. Contacts are of overlapping bodies only.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "absl/status/status.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "tests/bench/peers/peer_engine.h"
#include "tests/bench/peers/text_file.h"

namespace talus::peers {

const char* const kEngineName = "mujoco";

namespace {

std::string Numbers(const Vec3& v) {
  std::ostringstream text;
  text.precision(17);
  text << v.x() << ' ' << v.y() << ' ' << v.z();
  return text.str();
}

std::string Placement(const Pose& pose) {
  std::ostringstream text;
  text.precision(17);
  const Quat& q = pose.orientation;
  text << " pos='" << Numbers(pose.position) << "' quat='" << q.w() << ' ' << q.x() << ' ' << q.y()
       << ' ' << q.z() << "'";
  return text.str();
}

std::string Geom(const ShapeDef& shape, const Pose& pose) {
  std::ostringstream text;
  text.precision(17);
  if (const Sphere* sphere = std::get_if<Sphere>(&shape.geometry)) {
    text << "<geom type='sphere' size='" << sphere->radius_m << "'" << Placement(pose);
  } else if (const Box* box = std::get_if<Box>(&shape.geometry)) {
    text << "<geom type='box' size='" << Numbers(box->half_extents_m) << "'" << Placement(pose);
  } else {
    const Vec3 normal = pose.orientation * std::get<Plane>(shape.geometry).normal;
    text << "<geom type='plane' size='0 0 1' pos='" << Numbers(pose.position) << "' zaxis='"
         << Numbers(normal) << "'";
  }
  return text.str() + "/>\n";
}

// MuJoCo's memory is of a fixed size; what it needs depends on the solver: a dense Hessian for
// Newton, the whole contact-space matrix for PGS.
std::string Sizes(const PeerState& state, const std::string& solver) {
  const auto bodies = static_cast<int64_t>(state.bodies.size());
  const int64_t contacts = std::max<int64_t>(6 * std::min<int64_t>(bodies, 150), 23 * bodies / 10);
  const int64_t rows = 6 * contacts;
  const int64_t speeds = 6 * bodies;
  int64_t stack = 40 * rows + 400 * speeds + 2'000'000 + 2 * rows * speeds;
  if (solver == "Newton") stack += 4 * speeds * speeds;
  if (solver == "PGS") stack += rows * rows;
  std::ostringstream text;
  text << "<size nconmax='" << contacts << "' njmax='" << rows << "' nstack='" << stack << "'/>";
  return text.str();
}

std::string Model(const PeerState& state, const EngineOptions& options, const std::string& solver) {
  const double h = state.time_step_s;
  std::ostringstream text;
  text.precision(17);
  text << "<mujoco>" << Sizes(state, solver) << "<option timestep='" << h << "' gravity='"
       << Numbers(state.gravity_m_s2) << "' cone='elliptic' solver='" << solver << "' tolerance='"
       << options.tolerance << "'";
  if (options.iterations > 0) text << " iterations='" << options.iterations << "'";
  text << "/>\n<default><geom condim='6' friction='" << state.material.sliding_friction << ' '
       << state.material.spinning_friction_m << ' ' << state.material.rolling_friction_m << "'";
  if (!options.own_gap_rows) {
    text << " solref='" << -1.0 / (h * h) << ' ' << -1.0 / h
         << "' solimp='0.9999 0.9999 0.001 0.5 2'";
  }
  text << "/></default>\n<worldbody>\n";
  for (const PeerBody& body : state.bodies) {
    if (body.is_dynamic()) continue;
    for (const ShapeDef& shape : body.shapes) text << Geom(shape, body.pose * shape.pose_body);
  }
  for (const PeerBody& body : state.bodies) {
    if (!body.is_dynamic()) continue;
    text << "<body" << Placement(body.pose) << "><freejoint/><inertial pos='0 0 0' mass='"
         << body.mass_kg << "' diaginertia='" << Numbers(body.inertia_body_kg_m2) << "'/>"
         << Geom(body.shapes.at(0), body.shapes.at(0).pose_body) << "</body>\n";
  }
  text << "</worldbody></mujoco>\n";
  return text.str();
}

mjModel* LoadModel(const std::string& xml, std::string& error) {
  char path[] = "/tmp/talus_peer_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0 || !WriteTextFile(path, xml).ok()) {
    error = "cannot write a temporary file";
    return nullptr;
  }
  close(file);
  char message[1000] = "";
  mjModel* model = mj_loadXML(path, nullptr, message, sizeof(message));
  unlink(path);
  error = message;
  return model;
}

class MujocoEngine final : public PeerEngine {
 public:
  MujocoEngine(mjModel* model, const PeerState& state, bool own_gap_rows, std::string solver)
      : h_(state.time_step_s),
        own_gap_rows_(own_gap_rows),
        solver_(std::move(solver)),
        model_(model),
        data_(mj_makeData(model)) {
    // Shapes of static bodies come first in the model, then one of each dynamic body.
    for (const bool dynamic : {false, true}) {
      for (size_t row = 0; row < state.bodies.size(); ++row) {
        if (state.bodies[row].is_dynamic() != dynamic) continue;
        for (size_t k = 0; k < state.bodies[row].shapes.size(); ++k) {
          geom_rows_.push_back(static_cast<uint32_t>(row));
        }
        if (dynamic) WriteVelocity(state.bodies[row], body_rows_.size());
        if (dynamic) body_rows_.push_back(row);
      }
    }
    mjcb_time = ProcessCpuSeconds;
    // Standard output is for rows, and MuJoCo would also write a file where it runs and wait for a
    // key after an error.
    mju_user_warning = [](const char* text) { std::fprintf(stderr, "mujoco: %s\n", text); };
    mju_user_error = [](const char* text) {
      std::fprintf(stderr, "mujoco: %s\n", text);
      std::_Exit(3);
    };
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoEngine(const MujocoEngine&) = delete;
  MujocoEngine& operator=(const MujocoEngine&) = delete;

  std::string settings() const override {
    return "double, " + solver_ + ", condim 6, elliptic, " +
           (own_gap_rows_ ? "default softness" : "impedance 0.9999, gap closed in a step");
  }
  std::string residual_note() const override {
    return "soft contacts, of overlapping bodies only; before Newton or CG have converged, forces "
           "and "
           "velocities disagree";
  }

  StepCost Step() override {
    const double begin = data_->timer[mjTIMER_CONSTRAINT].duration;
    mj_step(model_, data_);
    return {data_->timer[mjTIMER_CONSTRAINT].duration - begin,
            static_cast<double>(data_->solver_iter)};
  }

  void ReadBodies(PeerState& state) const override {
    for (size_t i = 0; i < body_rows_.size(); ++i) {
      const mjtNum* q = data_->qpos + 7 * i;
      const mjtNum* v = data_->qvel + 6 * i;
      PeerBody& body = state.bodies[body_rows_[i]];
      body.pose = {Vec3(q[0], q[1], q[2]), Quat(q[3], q[4], q[5], q[6]).normalized()};
      body.linear_velocity_m_s = Vec3(v[0], v[1], v[2]);
      body.angular_velocity_rad_s = body.pose.orientation * Vec3(v[3], v[4], v[5]);
    }
  }

  void ReadContacts(std::vector<RecordContact>& contacts) const override {
    for (int i = 0; i < data_->ncon; ++i) {
      const mjContact& found = data_->contact[i];
      if (found.efc_address < 0) continue;
      mjtNum wrench[6];
      mj_contactForce(model_, data_, i, wrench);
      RecordContact& contact = contacts.emplace_back();
      contact.body_a = geom_rows_[static_cast<size_t>(found.geom1)];
      contact.body_b = geom_rows_[static_cast<size_t>(found.geom2)];
      contact.point = Vec3(found.pos[0], found.pos[1], found.pos[2]);
      contact.normal = Vec3(found.frame[0], found.frame[1], found.frame[2]);
      contact.gap_m = found.dist;
      for (int k = 0; k < 3; ++k) {
        const mjtNum* axis = found.frame + 3 * k;
        contact.linear_impulse += h_ * wrench[k] * Vec3(axis[0], axis[1], axis[2]);
        contact.angular_impulse += h_ * wrench[3 + k] * Vec3(axis[0], axis[1], axis[2]);
      }
    }
  }

 private:
  // The angular part is in the frame of the body.
  void WriteVelocity(const PeerBody& body, size_t index) {
    const Vec3 spin = body.pose.orientation.conjugate() * body.angular_velocity_rad_s;
    for (int k = 0; k < 3; ++k) {
      data_->qvel[6 * index + static_cast<size_t>(k)] = body.linear_velocity_m_s[k];
      data_->qvel[6 * index + static_cast<size_t>(3 + k)] = spin[k];
    }
  }

  double h_;
  bool own_gap_rows_;
  std::string solver_;
  mjModel* model_;
  mjData* data_;
  std::vector<uint32_t> geom_rows_;
  std::vector<size_t> body_rows_;
};

// A body that is moved from outside (mocap) has no velocity in MuJoCo's contact rows, and one that
// has a velocity has mass: neither is prescribed motion.
absl::Status RefuseKinematic(const PeerState& state) {
  for (size_t row = 0; row < state.bodies.size(); ++row) {
    if (!state.bodies[row].is_kinematic()) continue;
    return FieldError(FieldPath(FieldPath("bodies", row), "kind").ToString(), "kinematic",
                      "must be dynamic or static: MuJoCo's contacts see no prescribed velocity");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options) {
  std::string solver = "Newton";
  if (options.solver == "cg") solver = "CG";
  if (options.solver == "pgs") solver = "PGS";
  if (options.threads != 1) return absl::InvalidArgumentError("--threads must be 1");
  if (solver == "Newton" && !options.solver.empty() && options.solver != "newton") {
    return absl::InvalidArgumentError("--solver must be newton, cg or pgs");
  }
  TALUS_RETURN_IF_ERROR(RefuseKinematic(state));
  std::string error;
  mjModel* model = LoadModel(Model(state, options, solver), error);
  if (model == nullptr) return absl::InvalidArgumentError("MuJoCo: " + error);
  return std::make_unique<MujocoEngine>(model, state, options.own_gap_rows, solver);
}

}  // namespace talus::peers
