#include "server/runtime/scene_lease.h"

#include <array>
#include <random>
#include <utility>

#include "absl/strings/escaping.h"
#include "server/session/error.h"

namespace talus {
namespace {

// 128 bits nobody can guess, as 32 hexadecimal digits.
std::string MakeToken() {
  std::random_device device;
  std::array<uint32_t, 4> bits{};
  for (uint32_t& word : bits) word = device();
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(bits.data()), sizeof bits));
}

}  // namespace

absl::StatusOr<std::string> SceneLease::Take(LeaseCall call, Lost& displaced) {
  if (holding_.has_value() && !call.take_over) return LeaseHeldError(holding_->holder);
  displaced = End();
  holding_ = Holding{std::move(call.holder), MakeToken(), std::move(call.lost)};
  return holding_->token;
}

bool SceneLease::GiveBack(std::string_view token) {
  if (!holding_.has_value() || holding_->token != token) return false;
  End();
  return true;
}

SceneLease::Lost SceneLease::End() {
  if (!holding_.has_value()) return nullptr;
  Lost lost = std::move(holding_->lost);
  holding_->term->End();
  holding_.reset();
  return lost;
}

LeaseTermPtr SceneLease::FindTerm(std::string_view token) const {
  return holding_.has_value() && holding_->token == token ? holding_->term : nullptr;
}

absl::Status SceneLease::Check(std::string_view token) const {
  const bool mine = holding_.has_value() && holding_->token == token;
  if (mine || (!holding_.has_value() && token.empty())) return absl::OkStatus();
  if (token.empty()) return LeaseHeldError(holding_->holder);
  return LeaseLostError(holding_.has_value() ? "it was taken over by " + holding_->holder
                                             : "it has ended");
}

const std::string& SceneLease::holder() const {
  static const std::string nobody;
  return holding_.has_value() ? holding_->holder : nobody;
}

}  // namespace talus
