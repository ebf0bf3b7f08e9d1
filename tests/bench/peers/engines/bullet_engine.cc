// Bullet: sequential impulses, in the precision of the library it is built against. The gap row is
// made like ours: contact ERP 1, no split impulse, so that what undoes overlap is an impulse too,
// and spheres a little apart get contacts, which are speculative in Bullet as they are here. Rows
// of Bullet's own have ERP 0.2 and, between spheres, exist where they overlap.
//
// A manifold point tells the normal and the two sliding impulses; what rolling friction gave is in
// the solver's own rows alone, so that they are read before the solver drops them.
//
// A kinematic body's velocity reaches the rows as it was set; by itself Bullet would take it from
// the last two poses, in single precision with an error of a hundredth at 1 rad/s.
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <limits>
#include <map>

#include "absl/status/status.h"
#include "tests/bench/peers/peer_engine.h"

namespace talus::peers {

const char* const kEngineName = sizeof(btScalar) == 8 ? "bullet-double" : "bullet-float";

namespace {

btVector3 MakeVector(const Vec3& v) {
  return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
                   static_cast<btScalar>(v.z()));
}
btTransform MakeTransform(const Pose& pose) {
  const Quat& q = pose.orientation;
  return btTransform(btQuaternion(static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()),
                                  static_cast<btScalar>(q.z()), static_cast<btScalar>(q.w())),
                     MakeVector(pose.position));
}
Vec3 FromBullet(const btVector3& v) { return Vec3(v.x(), v.y(), v.z()); }

// Bullet would multiply the coefficients of two bodies; all bodies here have one material.
Material pair_material;
btScalar Sliding(const btCollisionObject*, const btCollisionObject*) {
  return static_cast<btScalar>(pair_material.sliding_friction);
}
btScalar Rolling(const btCollisionObject*, const btCollisionObject*) {
  return static_cast<btScalar>(pair_material.rolling_friction_m);
}
btScalar Spinning(const btCollisionObject*, const btCollisionObject*) {
  return static_cast<btScalar>(pair_material.spinning_friction_m);
}

double sphere_gap = 0.0;  // m, within which two spheres get a contact

// btCollisionDispatcher::defaultNearCallback, with a distance between spheres.
void FindContacts(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                  const btDispatcherInfo& info) {
  auto* a = static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject);
  auto* b = static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject);
  if (!dispatcher.needsCollision(a, b)) return;
  const btCollisionObjectWrapper wrapped_a(nullptr, a->getCollisionShape(), a,
                                           a->getWorldTransform(), -1, -1);
  const btCollisionObjectWrapper wrapped_b(nullptr, b->getCollisionShape(), b,
                                           b->getWorldTransform(), -1, -1);
  if (pair.m_algorithm == nullptr) {
    pair.m_algorithm =
        dispatcher.findAlgorithm(&wrapped_a, &wrapped_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  }
  if (pair.m_algorithm == nullptr) return;
  btManifoldResult result(&wrapped_a, &wrapped_b);
  result.m_closestPointDistanceThreshold = static_cast<btScalar>(sphere_gap);
  pair.m_algorithm->processCollision(&wrapped_a, &wrapped_b, info, &result);
}

// The solver, with its rows read before they go.
class ReadableSolver final : public btSequentialImpulseConstraintSolver {
 public:
  struct PointImpulse {
    Vec3 linear = Vec3::Zero();  // on body 1 of the manifold
    Vec3 angular = Vec3::Zero();
  };
  using Impulses = std::map<const void*, PointImpulse>;  // by manifold point; looked up only

  Impulses impulses;

  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override {
    for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
      AddLinear(i, m_tmpSolverContactConstraintPool[i]);
    }
    for (int i = 0; i < m_tmpSolverContactFrictionConstraintPool.size(); ++i) {
      const btSolverConstraint& row = m_tmpSolverContactFrictionConstraintPool[i];
      AddLinear(row.m_frictionIndex, row);
    }
    for (int i = 0; i < m_tmpSolverContactRollingFrictionConstraintPool.size(); ++i) {
      const btSolverConstraint& row = m_tmpSolverContactRollingFrictionConstraintPool[i];
      PointOf(row.m_frictionIndex).angular +=
          static_cast<double>(row.m_appliedImpulse) * FromBullet(row.m_relpos2CrossNormal);
    }
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, body_count,
                                                                              info);
  }

 private:
  PointImpulse& PointOf(int contact) {
    return impulses[m_tmpSolverContactConstraintPool[contact].m_originalContactPoint];
  }
  void AddLinear(int contact, const btSolverConstraint& row) {
    // The normal of a static side is zero.
    const Vec3 on_body_1 = FromBullet(row.m_contactNormal2);
    const Vec3 normal = on_body_1.isZero(0.0) ? Vec3(-FromBullet(row.m_contactNormal1)) : on_body_1;
    PointOf(contact).linear += static_cast<double>(row.m_appliedImpulse) * normal;
  }
};

class TimedWorld final : public btDiscreteDynamicsWorld {
 public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
  double solve_s = 0.0;

 protected:
  void saveKinematicState(btScalar) override {}  // which would overwrite the velocities set
  void solveConstraints(btContactSolverInfo& info) override {
    const double begin = ProcessCpuSeconds();
    btDiscreteDynamicsWorld::solveConstraints(info);
    solve_s += ProcessCpuSeconds() - begin;
  }
};

class BulletEngine final : public PeerEngine {
 public:
  BulletEngine(const PeerState& state, const EngineOptions& options)
      : h_(state.time_step_s),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        own_gap_rows_(options.own_gap_rows) {
    pair_material = state.material;
    gCalculateCombinedFrictionCallback = Sliding;
    gCalculateCombinedRollingFrictionCallback = Rolling;
    gCalculateCombinedSpinningFrictionCallback = Spinning;
    world_.setGravity(MakeVector(state.gravity_m_s2));
    btContactSolverInfo& info = world_.getSolverInfo();
    if (options.iterations > 0) info.m_numIterations = options.iterations;
    if (!own_gap_rows_) {
      info.m_erp2 = 1;
      info.m_splitImpulse = 0;
      sphere_gap = SpeculativeGap(state);
      dispatcher_.setNearCallback(FindContacts);
    }
    // Without it friction acts along the slip of the last step alone.
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    gDbvtMargin = static_cast<btScalar>(SpeculativeGap(state));
    for (size_t row = 0; row < state.bodies.size(); ++row) AddBody(state.bodies[row], row);
    SetContactThreshold();
  }

  ~BulletEngine() override {
    // Bullet looks through all pairs for each body that leaves, which takes minutes for 50 000.
    btOverlappingPairCache& pairs = *broad_phase_.getOverlappingPairCache();
    while (pairs.getNumOverlappingPairs() > 0) {
      const btBroadphasePair& last =
          pairs.getOverlappingPairArrayPtr()[pairs.getNumOverlappingPairs() - 1];
      pairs.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher_);
    }
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  std::string settings() const override {
    return std::string(sizeof(btScalar) == 8 ? "double" : "float") +
           ", sequential impulses, two sliding directions, warm start" +
           (own_gap_rows_ ? ", ERP 0.2" : ", ERP 1, no split impulse, speculative contacts");
  }
  std::string residual_note() const override {
    return "impulses of the solver's rows, rolling and spinning included; timed with set-up";
  }

  StepCost Step() override {
    solver_.impulses.clear();
    world_.solve_s = 0.0;
    for (KinematicBody& body : kinematic_) Place(body);
    world_.stepSimulation(static_cast<btScalar>(h_), 0);
    for (KinematicBody& body : kinematic_) body.motion.pose = AdvancePose(body.motion, h_);
    return {world_.solve_s, static_cast<double>(world_.getSolverInfo().m_numIterations)};
  }

  void ReadBodies(PeerState& state) const override {
    for (const auto& body : bodies_) {
      if (body->isStaticOrKinematicObject()) continue;
      PeerBody& out = state.bodies[static_cast<size_t>(body->getUserIndex())];
      const btQuaternion q = body->getWorldTransform().getRotation();
      out.pose = {FromBullet(body->getWorldTransform().getOrigin()),
                  Quat(q.w(), q.x(), q.y(), q.z()).normalized()};
      out.linear_velocity_m_s = FromBullet(body->getLinearVelocity());
      out.angular_velocity_rad_s = FromBullet(body->getAngularVelocity());
    }
    for (const KinematicBody& body : kinematic_) {
      PeerBody& out = state.bodies[body.row];
      out.pose = body.motion.pose;
      if (body.parts.empty()) continue;
      const btRigidBody& part = *body.parts.front();
      const Vec3 arm = FromBullet(part.getWorldTransform().getOrigin()) - body.start;
      out.angular_velocity_rad_s = FromBullet(part.getAngularVelocity());
      out.linear_velocity_m_s =
          FromBullet(part.getLinearVelocity()) - out.angular_velocity_rad_s.cross(arm);
    }
  }

  // Manifold points stay as the solver saw them until the next search for contacts.
  void ReadContacts(std::vector<RecordContact>& contacts) const override {
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold =
          const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        const btManifoldPoint& point = manifold->getContactPoint(k);
        const auto found = solver_.impulses.find(&point);
        if (found == solver_.impulses.end()) continue;  // further apart than the solver looks
        RecordContact& contact = contacts.emplace_back();
        contact.body_a = static_cast<uint32_t>(manifold->getBody0()->getUserIndex());
        contact.body_b = static_cast<uint32_t>(manifold->getBody1()->getUserIndex());
        contact.point = 0.5 * (FromBullet(point.getPositionWorldOnA()) +
                               FromBullet(point.getPositionWorldOnB()));
        contact.normal = -FromBullet(point.m_normalWorldOnB).normalized();  // Bullet's: from 1 to 0
        contact.gap_m = point.getDistance();
        contact.linear_impulse = found->second.linear;
        contact.angular_impulse = found->second.angular;
      }
    }
  }

 private:
  // Bullet counts in metres: with its margins a stone of 45 mm would be paired with hundreds. The
  // threshold beyond which it drops contacts, a fiftieth of the smaller shape, stays what it is
  // where all shapes that move have one size, but is now what boxes are widened by as well.
  void SetContactThreshold() {
    constexpr btScalar kPartOfShape = btScalar(0.02);
    btScalar smallest = std::numeric_limits<btScalar>::max();
    for (const auto& shape : shapes_) {
      smallest = std::min(smallest, shape->getContactBreakingThreshold(kPartOfShape));
    }
    gContactBreakingThreshold = smallest;
    dispatcher_.setDispatcherFlags(
        dispatcher_.getDispatcherFlags() &
        ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
  }

  struct KinematicBody {
    size_t row;
    PeerBody motion;
    Vec3 start;                       // its centre at the start of the last step
    std::vector<btRigidBody*> parts;  // one a shape, where they were then
  };

  btCollisionShape* AddShape(const ShapeDef& shape) {
    if (const Sphere* sphere = std::get_if<Sphere>(&shape.geometry)) {
      shapes_.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(sphere->radius_m)));
    } else if (const Box* box = std::get_if<Box>(&shape.geometry)) {
      shapes_.push_back(std::make_unique<btBoxShape>(MakeVector(box->half_extents_m)));
    } else {
      const Vec3& normal = std::get<Plane>(shape.geometry).normal;
      shapes_.push_back(
          std::make_unique<btStaticPlaneShape>(MakeVector(normal), static_cast<btScalar>(0)));
      shapes_.back()->setMargin(0);
    }
    return shapes_.back().get();
  }

  // Poses of the parts, and the velocities of their own centres.
  static void Place(KinematicBody& body) {
    const PeerBody& motion = body.motion;
    body.start = motion.pose.position;
    for (size_t k = 0; k < body.parts.size(); ++k) {
      const Pose pose = motion.pose * motion.shapes[k].pose_body;
      const Vec3 arm = pose.position - motion.pose.position;
      btRigidBody& part = *body.parts[k];
      part.setWorldTransform(MakeTransform(pose));
      part.setInterpolationWorldTransform(MakeTransform(pose));
      part.setLinearVelocity(
          MakeVector(motion.linear_velocity_m_s + motion.angular_velocity_rad_s.cross(arm)));
      part.setAngularVelocity(MakeVector(motion.angular_velocity_rad_s));
    }
  }

  // A static or kinematic body of several shapes becomes as many bodies of one row: compound shapes
  // would bring manifolds of their own kind.
  void AddBody(const PeerBody& def, size_t row) {
    if (def.is_kinematic()) kinematic_.push_back({row, def, def.pose.position, {}});
    for (const ShapeDef& shape : def.shapes) {
      // Without mass it is no dynamic one.
      const btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(def.mass_kg),
                                                          nullptr, AddShape(shape),
                                                          MakeVector(def.inertia_body_kg_m2));
      auto body = std::make_unique<btRigidBody>(info);
      const btTransform pose = MakeTransform(def.pose * shape.pose_body);
      body->setWorldTransform(pose);
      body->setInterpolationWorldTransform(pose);
      body->setActivationState(DISABLE_DEACTIVATION);
      body->setUserIndex(static_cast<int>(row));
      body->setLinearVelocity(MakeVector(def.linear_velocity_m_s));
      body->setAngularVelocity(MakeVector(def.angular_velocity_rad_s));
      body->updateInertiaTensor();
      if (def.is_kinematic()) {
        body->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        kinematic_.back().parts.push_back(body.get());
      }
      world_.addRigidBody(body.get());
      bodies_.push_back(std::move(body));
    }
    if (def.is_kinematic()) Place(kinematic_.back());
  }

  double h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  ReadableSolver solver_;
  TimedWorld world_;
  bool own_gap_rows_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<KinematicBody> kinematic_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerEngine>> MakeEngine(const PeerState& state,
                                                       const EngineOptions& options) {
  if (options.threads != 1) {
    return absl::InvalidArgumentError("--threads must be 1: Debian builds Bullet without threads");
  }
  if (options.tolerance != 0.0 || !options.solver.empty()) {
    return absl::InvalidArgumentError("Bullet takes neither --tolerance nor --solver");
  }
  return std::make_unique<BulletEngine>(state, options);
}

}  // namespace talus::peers
