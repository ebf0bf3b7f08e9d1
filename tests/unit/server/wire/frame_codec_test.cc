// A frame's columns arrive bit for bit, a view shows what was asked for and nothing else, and each
// column is one length-delimited record on the wire.
#include "server/wire/frame_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <set>

#include "solver/base/random.h"

namespace talus::wire {
namespace {

const FrameView kEverything = {.parts = {.positions = true,
                                         .orientations = true,
                                         .velocities = true,
                                         .contacts = true,
                                         .report = true},
                               .layout = true};

struct RandomFrame {
  explicit RandomFrame(uint64_t seed) : random(seed) {}

  std::vector<double> Column(size_t size) {
    std::vector<double> column(size);
    // Any bits: infinities, NaN payloads and subnormals must pass too.
    for (double& value : column) value = std::bit_cast<double>(random.Next());
    return column;
  }
  Vec3 Vector() {
    const std::vector<double> v = Column(3);
    return Vec3(v[0], v[1], v[2]);
  }
  ContactRecord Contact() {
    ContactRecord contact;
    for (uint32_t* field : {&contact.body_a_row, &contact.body_b_row, &contact.shape_a,
                            &contact.shape_b, &contact.feature, &contact.mode}) {
      *field = static_cast<uint32_t>(random.Next());
    }
    contact.point_world = Vector();
    contact.normal_world = Vector();
    contact.gap_m = Column(1)[0];
    contact.force_world_n = Vector();
    contact.torque_world_n_m = Vector();
    for (double& component : contact.wrench_contact) component = Column(1)[0];
    return contact;
  }
  void Fill(FrameData& frame) {
    const size_t bodies = random.Next() % 20;
    auto layout = std::make_shared<Layout>();
    layout->version = static_cast<int64_t>(random.Next() >> 1);
    for (size_t i = 0; i < bodies; ++i) {
      layout->body_ids.push_back(random.Next());
      layout->body_names.push_back(i % 2 == 0 ? "" : "body" + std::to_string(i));
      layout->body_kinds.push_back(static_cast<BodyKind>(random.Next() % 3));
    }
    layout->sphere_radii_m = Column(bodies);
    frame.layout = layout;
    frame.parts = kEverything.parts;
    frame.step_index = static_cast<int64_t>(random.Next() >> 1);
    frame.time_s = random.Uniform();
    frame.state_hash = random.Next();
    frame.positions_world_m = Column(3 * bodies);
    frame.orientations_wxyz = Column(4 * bodies);
    frame.linear_velocities_world_m_s = Column(3 * bodies);
    frame.angular_velocities_world_rad_s = Column(3 * bodies);
    for (size_t i = random.Next() % 20; i > 0; --i) frame.contacts.push_back(Contact());
    frame.report.step_index = frame.step_index;
    frame.report.residual = random.Uniform();
    frame.report.outcome = SolveOutcome::kStalled;
    frame.report.residual_history = Column(3);
  }

  Random random;
};

template <typename Column>
void ExpectSameBits(const Column& received, const std::vector<double>& sent) {
  ASSERT_EQ(static_cast<size_t>(received.size()), sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint64_t>(received[static_cast<int>(i)]),
              std::bit_cast<uint64_t>(sent[i]));
  }
}

template <typename Column>
Vec3 VectorAt(const Column& column, int i) {
  return Vec3(column[3 * i], column[3 * i + 1], column[3 * i + 2]);
}

bool SameBits(const Vec3& a, const Vec3& b) {
  return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0;
}

void ExpectContacts(const v1::ContactColumns& columns, const std::vector<ContactRecord>& sent) {
  ASSERT_EQ(static_cast<size_t>(columns.gaps_m_size()), sent.size());
  ASSERT_EQ(static_cast<size_t>(columns.wrenches_contact_size()), 6 * sent.size());
  for (int i = 0; i < columns.gaps_m_size(); ++i) {
    const ContactRecord& contact = sent[static_cast<size_t>(i)];
    EXPECT_EQ(columns.body_a_rows(i), contact.body_a_row);
    EXPECT_EQ(columns.body_b_rows(i), contact.body_b_row);
    EXPECT_EQ(columns.shape_a(i), contact.shape_a);
    EXPECT_EQ(columns.shape_b(i), contact.shape_b);
    EXPECT_EQ(columns.features(i), contact.feature);
    EXPECT_EQ(columns.modes(i), contact.mode);
    EXPECT_TRUE(SameBits(VectorAt(columns.points_world_m(), i), contact.point_world));
    EXPECT_TRUE(SameBits(VectorAt(columns.normals_world(), i), contact.normal_world));
    EXPECT_TRUE(SameBits(VectorAt(columns.forces_world_n(), i), contact.force_world_n));
    EXPECT_TRUE(SameBits(VectorAt(columns.torques_world_n_m(), i), contact.torque_world_n_m));
    EXPECT_EQ(std::memcmp(columns.wrenches_contact().data() + 6 * i, contact.wrench_contact,
                          sizeof contact.wrench_contact),
              0);
  }
}

TEST(FrameCodec, RandomFramesArriveBitForBit) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomFrame random(seed);
  for (int i = 0; i < 200; ++i) {
    FrameData frame;
    random.Fill(frame);
    v1::Frame sent;
    EncodeFrame(frame, kEverything, sent);
    v1::Frame received;
    ASSERT_TRUE(received.ParseFromString(sent.SerializeAsString()));
    EXPECT_EQ(received.step_index(), frame.step_index);
    EXPECT_EQ(received.time_s(), frame.time_s);
    EXPECT_EQ(received.state_hash(), frame.state_hash);
    EXPECT_EQ(received.layout_version(), frame.layout->version);
    const v1::BodyColumns& bodies = received.bodies();
    ExpectSameBits(bodies.positions_world_m(), frame.positions_world_m);
    ExpectSameBits(bodies.orientations_wxyz(), frame.orientations_wxyz);
    ExpectSameBits(bodies.linear_velocities_world_m_s(), frame.linear_velocities_world_m_s);
    ExpectSameBits(bodies.angular_velocities_world_rad_s(), frame.angular_velocities_world_rad_s);
    ExpectContacts(received.contacts(), frame.contacts);
    EXPECT_EQ(received.report().outcome(), v1::SOLVE_OUTCOME_STALLED);
    EXPECT_EQ(received.report().residual(), frame.report.residual);
    ExpectSameBits(received.report().residual_history(), frame.report.residual_history);
    ExpectSameBits(received.layout().sphere_radii_m(), frame.layout->sphere_radii_m);
    ASSERT_EQ(static_cast<size_t>(received.layout().body_ids_size()),
              frame.layout->body_ids.size());
    for (size_t row = 0; row < frame.layout->body_ids.size(); ++row) {
      const int r = static_cast<int>(row);
      EXPECT_EQ(received.layout().body_ids(r), frame.layout->body_ids[row]);
      EXPECT_EQ(received.layout().body_names(r), frame.layout->body_names[row]);
      EXPECT_EQ(received.layout().body_kinds(r),
                static_cast<int>(frame.layout->body_kinds[row]) + 1);
    }
  }
}

TEST(FrameCodec, AViewShowsWhatWasAskedForAndNothingElse) {
  RandomFrame random(7);
  FrameData frame;
  do {
    frame.contacts.clear();
    random.Fill(frame);
  } while (frame.positions_world_m.empty() || frame.contacts.empty());
  v1::Frame nothing;
  EncodeFrame(frame, {}, nothing);
  EXPECT_FALSE(nothing.has_bodies());
  EXPECT_FALSE(nothing.has_contacts());
  EXPECT_FALSE(nothing.has_report());
  EXPECT_FALSE(nothing.has_layout());
  EXPECT_EQ(nothing.state_hash(), frame.state_hash);
  v1::Frame velocities;
  EncodeFrame(frame, {.parts = {.velocities = true}}, velocities);
  EXPECT_EQ(velocities.bodies().positions_world_m_size(), 0);
  EXPECT_EQ(velocities.bodies().orientations_wxyz_size(), 0);
  EXPECT_GT(velocities.bodies().linear_velocities_world_m_s_size(), 0);
  EXPECT_GT(velocities.bodies().angular_velocities_world_rad_s_size(), 0);
}

TEST(FrameCodec, EachViewHasAKeyOfItsOwnAndIsDecodedFromItsSelection) {
  std::set<ViewKey> keys;
  for (uint32_t bits = 0; bits < 64; ++bits) {
    v1::FrameSelection selection;
    selection.set_positions((bits & 1) != 0);
    selection.set_orientations((bits & 2) != 0);
    selection.set_velocities((bits & 4) != 0);
    selection.set_contacts((bits & 8) != 0);
    selection.set_report((bits & 16) != 0);
    selection.set_layout((bits & 32) != 0);
    const FrameView view = DecodeView(selection);
    EXPECT_EQ(view.parts.contacts, selection.contacts());
    EXPECT_EQ(view.layout, selection.layout());
    keys.insert(view.Key());
  }
  EXPECT_EQ(keys.size(), 64u);
}

// The twin schema reads a column as one `bytes` field: n numbers must be one record of 8 n bytes.
TEST(FrameCodec, AColumnIsOneLengthDelimitedRecord) {
  FrameData frame;
  frame.layout = std::make_shared<Layout>();
  frame.positions_world_m = {1.0, 2.0, 3.0};
  v1::Frame message;
  EncodeFrame(frame, {.parts = {.positions = true}}, message);
  std::string expected = {0x0A, 24};  // field 1, length-delimited, 24 bytes
  expected.append(reinterpret_cast<const char*>(frame.positions_world_m.data()), 24);
  EXPECT_EQ(message.bodies().SerializeAsString(), expected);
}

}  // namespace
}  // namespace talus::wire
