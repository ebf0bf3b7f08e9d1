// ODE: dWorldQuickStep (--solver step: its exact solver) on contact joints with rolling friction.
//
// The gap rows are made like ours: ERP 1, overlap undone at most as fast as the state says, and
// contacts of bodies a little apart. For those, spheres are searched with a larger radius and the
// joint is told the speed that closes the gap in a step. Rows of ODE's own have ERP 0.2 and exist
// where bodies overlap.
#include <ode/ode.h>

#include <deque>

#include "absl/status/status.h"
#include "tests/bench/peers/peer_engine.h"

namespace talus::peers {

const char* const kEngineName = "ode";

namespace {

constexpr int kMostPoints = 8;  // of one pair of shapes

Vec3 FromOde(const dReal* v) { return {v[0], v[1], v[2]}; }

// What a contact joint needs to be read after the step.
struct OdeContact {
  RecordContact contact;
  dJointFeedback feedback;
};

class OdeEngine final : public PeerEngine {
 public:
  OdeEngine(const PeerState& state, const EngineOptions& options)
      : h_(state.time_step_s),
        exact_(options.solver == "step"),
        skin_(options.own_gap_rows ? 0.0 : SpeculativeGap(state)) {
    dInitODE2(0);
    world_ = dWorldCreate();
    // The hash space of 0.16 loses spheres that lie on a turning box, and takes n^2 bits.
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, state.gravity_m_s2.x(), state.gravity_m_s2.y(),
                     state.gravity_m_s2.z());
    if (!options.own_gap_rows) {
      dWorldSetERP(world_, 1.0);
      dWorldSetContactMaxCorrectingVel(world_, state.recovery_speed_m_s);
    }
    if (options.iterations > 0) dWorldSetQuickStepNumIterations(world_, options.iterations);
    SetSurface(state.material);
    for (size_t row = 0; row < state.bodies.size(); ++row) AddBody(state.bodies[row], row);
  }

  ~OdeEngine() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  std::string settings() const override {
    return std::string("double, ") + (exact_ ? "Step (exact)" : "QuickStep") +
           (skin_ > 0.0 ? ", ERP 1, speculative contacts" : ", ERP 0.2") +
           ", mu and rolling friction per axis";
  }
  std::string residual_note() const override {
    return "joint feedback; timed with assembly and integration";
  }

  StepCost Step() override {
    dJointGroupEmpty(joints_);
    contacts_.clear();
    dSpaceCollide(space_, this, &OdeEngine::Touch);
    const double begin = ProcessCpuSeconds();
    if (exact_) {
      dWorldStep(world_, h_);
    } else {
      dWorldQuickStep(world_, h_);
    }
    return {ProcessCpuSeconds() - begin,
            exact_ ? 1.0 : static_cast<double>(dWorldGetQuickStepNumIterations(world_))};
  }

  void ReadBodies(PeerState& state) const override {
    for (size_t row = 0; row < bodies_.size(); ++row) {
      const dBodyID body = bodies_[row];
      if (body == nullptr) continue;
      const dReal* q = dBodyGetQuaternion(body);
      state.bodies[row].pose = {FromOde(dBodyGetPosition(body)), Quat(q[0], q[1], q[2], q[3])};
      state.bodies[row].linear_velocity_m_s = FromOde(dBodyGetLinearVel(body));
      state.bodies[row].angular_velocity_rad_s = FromOde(dBodyGetAngularVel(body));
    }
  }

  void ReadContacts(std::vector<RecordContact>& contacts) const override {
    for (const OdeContact& touching : contacts_) {
      RecordContact contact = touching.contact;
      // Body 1 of the joint is our body b; its torque is about its centre, where it was before.
      const Vec3 arm = contact.point - starts_[contact.body_b];
      contact.linear_impulse = h_ * FromOde(touching.feedback.f1);
      contact.angular_impulse =
          h_ * FromOde(touching.feedback.t1) - arm.cross(contact.linear_impulse);
      contacts.push_back(contact);
    }
  }

 private:
  // Bounds in proportion to the normal force; rho and rhoN are lengths.
  void SetSurface(const Material& material) {
    surface_.mode = dContactApprox1 | dContactAxisDep;
    surface_.mu = surface_.mu2 = material.sliding_friction;
    if (material.rolling_friction_m > 0.0 || material.spinning_friction_m > 0.0) {
      surface_.mode |= dContactRolling;
      surface_.rho = surface_.rho2 = material.rolling_friction_m;
      surface_.rhoN = material.spinning_friction_m;
    }
  }

  void AddBody(const PeerBody& def, size_t row) {
    dBodyID body = nullptr;
    if (def.kind != BodyKind::kStatic) {
      body = dBodyCreate(world_);
      if (def.is_dynamic()) {
        dMass mass;
        dMassSetParameters(&mass, def.mass_kg, 0, 0, 0, def.inertia_body_kg_m2.x(),
                           def.inertia_body_kg_m2.y(), def.inertia_body_kg_m2.z(), 0, 0, 0);
        dBodySetMass(body, &mass);
      } else {
        dBodySetKinematic(body);
        dBodySetFiniteRotationMode(body, 1);  // turned by h w, not by its first order
      }
      SetPose(
          def.pose, [&](auto... x) { dBodySetPosition(body, x...); },
          [&](const dReal* q) { dBodySetQuaternion(body, q); });
      dBodySetLinearVel(body, def.linear_velocity_m_s.x(), def.linear_velocity_m_s.y(),
                        def.linear_velocity_m_s.z());
      dBodySetAngularVel(body, def.angular_velocity_rad_s.x(), def.angular_velocity_rad_s.y(),
                         def.angular_velocity_rad_s.z());
    }
    bodies_.push_back(body);
    starts_.push_back(def.pose.position);
    for (const ShapeDef& shape : def.shapes) AddShape(shape, def, body, row);
  }

  template <typename SetPosition, typename SetTurn>
  static void SetPose(const Pose& pose, SetPosition set_position, SetTurn set_turn) {
    const Quat& turn = pose.orientation;
    const dQuaternion q = {turn.w(), turn.x(), turn.y(), turn.z()};
    set_position(pose.position.x(), pose.position.y(), pose.position.z());
    set_turn(q);
  }

  void AddShape(const ShapeDef& shape, const PeerBody& def, dBodyID body, size_t row) {
    const Pose pose = def.pose * shape.pose_body;
    dGeomID geom = nullptr;
    if (const Plane* plane = std::get_if<Plane>(&shape.geometry)) {
      const Vec3 n = pose.orientation * plane->normal;
      geom = dCreatePlane(space_, n.x(), n.y(), n.z(), n.dot(pose.position));
    } else {
      if (const Sphere* sphere = std::get_if<Sphere>(&shape.geometry)) {
        geom = dCreateSphere(space_, sphere->radius_m + skin_);
      } else {
        const Vec3 edge = 2.0 * std::get<Box>(shape.geometry).half_extents_m;
        geom = dCreateBox(space_, edge.x(), edge.y(), edge.z());
      }
      if (body != nullptr) {
        dGeomSetBody(geom, body);
        if (def.is_kinematic()) {
          SetPose(
              shape.pose_body, [&](auto... x) { dGeomSetOffsetPosition(geom, x...); },
              [&](const dReal* q) { dGeomSetOffsetQuaternion(geom, q); });
        }
      } else {
        SetPose(
            pose, [&](auto... x) { dGeomSetPosition(geom, x...); },
            [&](const dReal* q) { dGeomSetQuaternion(geom, q); });
      }
    }
    dGeomSetData(geom, reinterpret_cast<void*>(row));
  }

  static void Touch(void* data, dGeomID a, dGeomID b) {
    static_cast<OdeEngine*>(data)->AddContacts(a, b);
  }

  static bool IsDynamic(dGeomID geom) {
    const dBodyID body = dGeomGetBody(geom);
    return body != nullptr && dBodyIsKinematic(body) == 0;
  }

  void AddContacts(dGeomID geom_1, dGeomID geom_2) {
    if (!IsDynamic(geom_1) && !IsDynamic(geom_2)) return;
    dContact points[kMostPoints];
    const int count =
        dCollide(geom_1, geom_2, kMostPoints, &points[0].geom, static_cast<int>(sizeof(dContact)));
    for (int i = 0; i < count; ++i) {
      dContact& point = points[i];
      point.surface = surface_;
      const double gap = RemoveSkin(geom_1, geom_2, point);
      dGeomID first = geom_1;
      dGeomID second = geom_2;
      // A joint's body 1 must be one that moves, or ODE exchanges the two behind our back.
      if (dGeomGetBody(first) == nullptr) {
        std::swap(first, second);
        for (int k = 0; k < 3; ++k) point.geom.normal[k] = -point.geom.normal[k];
      }
      const dJointID joint = dJointCreateContact(world_, joints_, &point);
      dJointAttach(joint, dGeomGetBody(first), dGeomGetBody(second));
      // ODE's normal points into body 1.
      OdeContact& contact = contacts_.emplace_back();
      contact.contact.body_a = RowOf(second);
      contact.contact.body_b = RowOf(first);
      contact.contact.point = FromOde(point.geom.pos);
      contact.contact.normal = FromOde(point.geom.normal);
      contact.contact.gap_m = gap;
      starts_[contact.contact.body_b] = FromOde(dBodyGetPosition(dGeomGetBody(first)));
      dJointSetFeedback(joint, &contact.feedback);
    }
  }

  // Returns the gap between the true shapes and makes the joint close no more than that.
  double RemoveSkin(dGeomID geom_1, dGeomID geom_2, dContact& point) const {
    for (const dGeomID geom : {geom_1, geom_2}) {
      if (dGeomGetClass(geom) == dSphereClass) point.geom.depth -= skin_;
    }
    const double gap = -point.geom.depth;
    if (gap > 0.0) {
      point.geom.depth = 0.0;
      point.surface.mode |= dContactMotionN;
      point.surface.motionN = -gap / h_;
    }
    return gap;
  }

  static uint32_t RowOf(dGeomID geom) {
    return static_cast<uint32_t>(reinterpret_cast<size_t>(dGeomGetData(geom)));
  }

  double h_;
  bool exact_;
  double skin_;  // m, of one sphere; two of them see twice as far
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  dSurfaceParameters surface_{};
  std::vector<dBodyID> bodies_;      // by row; null: static
  std::vector<Vec3> starts_;         // centres at the start of the step
  std::deque<OdeContact> contacts_;  // the joints hold the addresses of the feedback
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options) {
  if (options.threads != 1) return absl::InvalidArgumentError("--threads must be 1");
  if (options.tolerance != 0.0) return absl::InvalidArgumentError("ODE stops by no tolerance");
  if (!options.solver.empty() && options.solver != "step") {
    return absl::InvalidArgumentError("--solver must be step, or left out");
  }
  return std::make_unique<OdeEngine>(state, options);
}

}  // namespace talus::peers
