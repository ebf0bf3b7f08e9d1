#include "server/runtime/mailbox.h"

#include <utility>

#include "server/session/error.h"

namespace talus {

absl::Status Mailbox::CheckRoom(Lane lane, int64_t retry_after_ms) const {
  const size_t waiting = lane == Lane::kChanges ? changes_.size() : reads_.size();
  if (static_cast<int64_t>(waiting) < depth_) return absl::OkStatus();
  return MailboxFullError(depth_, retry_after_ms);
}

absl::Status Mailbox::Submit(Lane lane, std::unique_ptr<Command>& command, int64_t retry_after_ms) {
  absl::Status room = CheckRoom(lane, retry_after_ms);
  if (!room.ok()) return room;
  if (lane == Lane::kChanges) {
    changes_.push_back(std::move(command));
  } else {
    reads_.push_back(std::move(command));
  }
  return absl::OkStatus();
}

std::unique_ptr<Command> Mailbox::TakeChange() {
  if (changes_.empty()) return nullptr;
  std::unique_ptr<Command> command = std::move(changes_.front());
  changes_.pop_front();
  return command;
}

std::vector<std::unique_ptr<Command>> Mailbox::TakeReads() { return std::exchange(reads_, {}); }

std::vector<std::unique_ptr<Command>> Mailbox::TakeAll() {
  std::vector<std::unique_ptr<Command>> all = TakeReads();
  for (auto& command : changes_) all.push_back(std::move(command));
  changes_.clear();
  return all;
}

void Mailbox::Sweep(Clock::TimePoint now, int64_t step_index, DueAnswers& answers) {
  auto is_over = [&](const std::unique_ptr<Command>& command) {
    return !command->Sweep(now, step_index, answers);
  };
  std::erase_if(reads_, is_over);
  std::erase_if(changes_, is_over);
}

}  // namespace talus
