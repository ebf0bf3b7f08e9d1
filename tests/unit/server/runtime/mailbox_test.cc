#include "server/runtime/mailbox.h"

#include <string>

#include "gtest/gtest.h"
#include "server/session/error.h"

namespace talus {
namespace {

using Lane = Mailbox::Lane;

class TestCommand : public Command {
 public:
  TestCommand(std::string name, bool awaited) : name_(std::move(name)), awaited_(awaited) {}
  const std::string& name() const { return name_; }

  bool Sweep(Clock::TimePoint, int64_t, DueAnswers& answers) override {
    if (!awaited_) answers.push_back([] {});
    return awaited_;
  }
  bool Advance(HostedWorld&, Quantum&) override { return true; }
  void Fail(const absl::Status&) override {}

 private:
  const std::string name_;
  const bool awaited_;
};

absl::Status Put(Mailbox& mailbox, Lane lane, const std::string& name, bool awaited = true) {
  std::unique_ptr<Command> command = std::make_unique<TestCommand>(name, awaited);
  absl::Status status = mailbox.Submit(lane, command, 40);
  EXPECT_EQ(command == nullptr, status.ok());
  return status;
}

std::string NameOf(const std::unique_ptr<Command>& command) {
  return static_cast<const TestCommand&>(*command).name();
}

TEST(MailboxTest, ChangesComeOutInTheOrderTheyWentIn) {
  Mailbox mailbox(3);
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(Put(mailbox, Lane::kChanges, name).ok());
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(NameOf(mailbox.TakeChange()), name);
  EXPECT_EQ(mailbox.TakeChange(), nullptr);
}

TEST(MailboxTest, AFullLaneSaysSoAndLeavesTheOtherFree) {
  Mailbox mailbox(2);
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "a").ok());
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "b").ok());
  const absl::Status full = Put(mailbox, Lane::kChanges, "c");
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FindErrorInfo(full).reason, ErrorReason::kMailboxFull);
  EXPECT_EQ(FindErrorInfo(full).limit_value, 2);
  EXPECT_EQ(FindErrorInfo(full).retry_after_ms, 40);
  EXPECT_TRUE(Put(mailbox, Lane::kReads, "r").ok());
  mailbox.TakeChange();
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "c").ok());
}

TEST(MailboxTest, SweepDropsWhatNobodyAwaits) {
  Mailbox mailbox(4);
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "a").ok());
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "b", false).ok());
  EXPECT_TRUE(Put(mailbox, Lane::kReads, "c", false).ok());
  EXPECT_TRUE(Put(mailbox, Lane::kChanges, "d").ok());
  DueAnswers answers;
  mailbox.Sweep({}, 0, answers);
  EXPECT_EQ(answers.size(), 2u);
  const auto all = mailbox.TakeAll();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(NameOf(all[0]), "a");
  EXPECT_EQ(NameOf(all[1]), "d");
  EXPECT_TRUE(mailbox.empty());
}

}  // namespace
}  // namespace talus
