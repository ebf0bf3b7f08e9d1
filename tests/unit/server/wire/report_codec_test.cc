// Every field of a step report arrives, each in its own place.
#include "server/wire/report_codec.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

namespace talus::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// No two numbers alike, so that a field in another's place shows.
StepReport MakeReport() {
  StepReport report;
  report.step_index = 1;
  report.time_s = 2.5;
  report.state_hash = 0xFEDCBA9876543210;
  report.body_count = 4;
  report.pair_count = 5;
  report.contact_count = 6;
  report.emitted_count = 7;
  report.removed_count = 8;
  report.sleeping_body_count = 18;
  report.sleeping_contact_count = 19;
  report.outcome = SolveOutcome::kStalled;
  report.residual = 1e-10;
  report.worst_contact_residual = 1e-11;
  report.sweep_count = 12;
  report.color_count = 13;
  report.strand_count = 20;
  report.worst_penetration_m = 1e-14;
  report.energy = {15.25, 15.5, -15.75};
  report.stage_times = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07};
  report.residual_history = {0.5, 0.25, 1e-10};
  return report;
}

v1::StepReport SendAndReceive(const StepReport& report) {
  v1::StepReport sent;
  EncodeReport(report, sent);
  v1::StepReport received;
  EXPECT_TRUE(received.ParseFromString(sent.SerializeAsString()));
  return received;
}

TEST(ReportCodec, EveryCountAndFigureArrives) {
  const StepReport report = MakeReport();
  const v1::StepReport received = SendAndReceive(report);
  EXPECT_EQ(received.step_index(), report.step_index);
  EXPECT_EQ(received.time_s(), report.time_s);
  EXPECT_EQ(received.state_hash(), report.state_hash);
  EXPECT_EQ(received.body_count(), report.body_count);
  EXPECT_EQ(received.pair_count(), report.pair_count);
  EXPECT_EQ(received.contact_count(), report.contact_count);
  EXPECT_EQ(received.emitted_count(), report.emitted_count);
  EXPECT_EQ(received.removed_count(), report.removed_count);
  EXPECT_EQ(received.sleeping_body_count(), report.sleeping_body_count);
  EXPECT_EQ(received.sleeping_contact_count(), report.sleeping_contact_count);
  EXPECT_EQ(received.outcome(), v1::SOLVE_OUTCOME_STALLED);
  EXPECT_EQ(received.residual(), report.residual);
  EXPECT_EQ(received.worst_contact_residual(), report.worst_contact_residual);
  EXPECT_EQ(received.sweep_count(), report.sweep_count);
  EXPECT_EQ(received.color_count(), report.color_count);
  EXPECT_EQ(received.strand_count(), report.strand_count);
  EXPECT_EQ(received.worst_penetration_m(), report.worst_penetration_m);
  EXPECT_THAT(received.residual_history(), ::testing::ElementsAreArray(report.residual_history));
}

TEST(ReportCodec, EveryOutcomeHasItsName) {
  const auto name = [](SolveOutcome outcome) {
    return v1::SolveOutcome_Name(EncodeOutcome(outcome));
  };
  EXPECT_EQ(name(SolveOutcome::kNone), "SOLVE_OUTCOME_UNSPECIFIED");
  EXPECT_EQ(name(SolveOutcome::kConverged), "SOLVE_OUTCOME_CONVERGED");
  EXPECT_EQ(name(SolveOutcome::kSweepLimit), "SOLVE_OUTCOME_SWEEP_LIMIT");
  EXPECT_EQ(name(SolveOutcome::kRay), "SOLVE_OUTCOME_RAY");
  EXPECT_EQ(name(SolveOutcome::kSingular), "SOLVE_OUTCOME_SINGULAR");
  EXPECT_EQ(name(SolveOutcome::kTooLarge), "SOLVE_OUTCOME_TOO_LARGE");
}

TEST(ReportCodec, EveryEnergyAndStageTimeArrives) {
  const StepReport report = MakeReport();
  const v1::StepReport received = SendAndReceive(report);
  EXPECT_EQ(received.energy().kinetic_translation_j(), report.energy.kinetic_translation_j);
  EXPECT_EQ(received.energy().kinetic_rotation_j(), report.energy.kinetic_rotation_j);
  EXPECT_EQ(received.energy().potential_j(), report.energy.potential_j);
  const v1::StageTimes& times = received.stage_times();
  EXPECT_EQ(times.find_pairs_s(), report.stage_times.find_pairs_s);
  EXPECT_EQ(times.find_contacts_s(), report.stage_times.find_contacts_s);
  EXPECT_EQ(times.advance_velocities_s(), report.stage_times.advance_velocities_s);
  EXPECT_EQ(times.assemble_problem_s(), report.stage_times.assemble_problem_s);
  EXPECT_EQ(times.solve_contacts_s(), report.stage_times.solve_contacts_s);
  EXPECT_EQ(times.apply_impulses_s(), report.stage_times.apply_impulses_s);
  EXPECT_EQ(times.advance_poses_s(), report.stage_times.advance_poses_s);
}

void ExpectNothingLeftOut(const Message& message) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  EXPECT_EQ(static_cast<int>(set.size()), message.GetDescriptor()->field_count())
      << message.DebugString();
  for (const FieldDescriptor* field : set) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !field->is_repeated()) {
      ExpectNothingLeftOut(message.GetReflection()->GetMessage(message, field));
    }
  }
}

TEST(ReportCodec, AFieldOfTheSchemaThatNobodyFillsWouldShow) {
  ExpectNothingLeftOut(SendAndReceive(MakeReport()));
}

}  // namespace
}  // namespace talus::wire
