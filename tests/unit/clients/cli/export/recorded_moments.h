// Moments as a MomentReader hands them out, and a folder to export them to.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "clients/cli/export/export_target.h"
#include "clients/cli/output_file.h"

namespace talus::cli {

// Two bodies, floor (id 1) and ball (id 7), and one contact between them. The numbers are such that
// fewer digits than all of them would not do.
class RecordedMoments {
 public:
  RecordedMoments() {
    layout.set_layout_version(3);
    AddBody(1, "floor", v1::BODY_KIND_CODE_STATIC, 0.0);
    AddBody(7, "ball", v1::BODY_KIND_CODE_DYNAMIC, 0.1);
  }

  void AddBody(uint64_t id, const std::string& name, v1::BodyKindCode kind, double radius_m) {
    layout.add_body_ids(id);
    layout.add_body_names(name);
    layout.add_body_kinds(kind);
    layout.add_sphere_radii_m(radius_m);
  }

  // What is recorded where all is chosen, of the bodies in these rows.
  Moment Make(int64_t step_index, std::vector<int> rows = {0, 1}) const {
    Moment moment;
    moment.step_index = step_index;
    moment.time_s = static_cast<double>(step_index) / 10.0;
    moment.state_hash = 0xfedcba9876543210u + static_cast<uint64_t>(step_index);
    moment.layout = &layout;
    moment.rows = std::move(rows);
    moment.bodies = MakeBodies(step_index, moment.rows);
    moment.contacts = MakeContacts(step_index);
    moment.report = MakeReport(moment);
    return moment;
  }

  // One that was recorded without velocities.
  Moment MakeWithoutVelocities(int64_t step_index) const {
    Moment moment = Make(step_index);
    moment.bodies->mutable_bodies()->clear_linear_velocities_world_m_s();
    moment.bodies->mutable_bodies()->clear_angular_velocities_world_rad_s();
    return moment;
  }

  v1::Layout layout;

 private:
  static v1::Frame MakeBodies(int64_t step_index, const std::vector<int>& rows) {
    v1::Frame frame;
    frame.set_step_index(step_index);
    v1::BodyColumns& bodies = *frame.mutable_bodies();
    for (const int row : rows) {
      for (int part = 0; part < 3; ++part) {
        bodies.add_positions_world_m(row + part / 3.0);
        bodies.add_linear_velocities_world_m_s(-row - part / 7.0);
        bodies.add_angular_velocities_world_rad_s(part == 0 ? -0.0 : 1e-300 * part);
      }
      for (int part = 0; part < 4; ++part) bodies.add_orientations_wxyz(part == 0);
    }
    return frame;
  }

  static v1::Frame MakeContacts(int64_t step_index) {
    v1::Frame frame;
    frame.set_step_index(step_index);
    v1::ContactColumns& contacts = *frame.mutable_contacts();
    contacts.add_body_a_rows(0);
    contacts.add_body_b_rows(1);
    contacts.add_shape_a(2);
    contacts.add_shape_b(3);
    contacts.add_features(5);
    contacts.add_modes(v1::CONTACT_MODE_BITS_CLOSED | v1::CONTACT_MODE_BITS_SLIDING);
    contacts.add_gaps_m(-1.0 / 3.0);
    for (int part = 0; part < 3; ++part) {
      contacts.add_points_world_m(part / 3.0);
      contacts.add_normals_world(part == 2);
      contacts.add_forces_world_n(10 + part / 3.0);
      contacts.add_torques_world_n_m(20 + part / 3.0);
    }
    for (int part = 0; part < 6; ++part) contacts.add_wrenches_contact(30 + part / 3.0);
    return frame;
  }

  static v1::StepReport MakeReport(const Moment& moment) {
    v1::StepReport report;
    report.set_step_index(moment.step_index);
    report.set_time_s(moment.time_s);
    report.set_state_hash(moment.state_hash);
    report.set_body_count(2);
    report.set_contact_count(1);
    report.set_outcome(v1::SOLVE_OUTCOME_CONVERGED);
    report.set_residual(1.0 / 3.0);
    report.set_sweep_count(9);
    report.mutable_energy()->set_potential_j(2.0 / 3.0);
    report.mutable_stage_times()->set_advance_poses_s(0.25);
    return report;
  }
};

class ExportTest : public ::testing::Test {
 protected:
  static constexpr ExportTables kAll = {.bodies = true, .contacts = true, .diagnostics = true};

  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/export-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string PathOf(const std::string& name) const { return (folder_ / name).string(); }
  // Empty where there is none.
  std::string Read(const std::string& name) const {
    const auto bytes = ReadFile(PathOf(name));
    return bytes ? *bytes : "";
  }
  bool IsThere(const std::string& name) const { return std::filesystem::exists(PathOf(name)); }
  size_t CountEntries(const std::string& name = "") const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_ / name), {}));
  }
  // Ends the target, which must be one, after these moments.
  static void Export(const ExportTargetResult& target, const std::vector<Moment>& moments) {
    ASSERT_TRUE(target) << target.error().ToString();
    for (const Moment& moment : moments) ASSERT_TRUE((*target)->Add(moment));
    ASSERT_TRUE((*target)->Finish());
  }

  const RecordedMoments recorded_;
  std::filesystem::path folder_;
};

}  // namespace talus::cli
