// Who alone may change a scene: at most one holder, known by a token that only it has.
//
// A lease is given, given back, taken over by another holder, or ends with the scene; it knows no
// time: whoever holds it decides how long. Not thread-safe: it is a member of something that has a
// lock.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/lease_term.h"

namespace talus {

inline constexpr size_t kLongestHolder = 64;  // characters; who takes a lease keeps to it

struct LeaseCall {
  std::string holder;      // a name for people; shown to those who are refused
  bool take_over = false;  // also from another holder
  // Runs once, without a lock held, when the lease ends otherwise than by being given back. It must
  // not block.
  std::function<void(const absl::Status&)> lost;
};

class SceneLease {
 public:
  using Lost = std::function<void(const absl::Status&)>;

  // The token. FAILED_PRECONDITION (LEASE_HELD). `displaced`: of the holder before; to be called
  // with LEASE_LOST once no lock is held.
  absl::StatusOr<std::string> Take(LeaseCall call, Lost& displaced);
  // False: the token is of no lease that still holds.
  bool GiveBack(std::string_view token);
  // Ends it: what the holder is to be told by; empty where there is none.
  Lost End();

  // Of the lease with this token; null where it does not hold.
  LeaseTermPtr FindTerm(std::string_view token) const;
  // Whether somebody with this token may change the scene: FAILED_PRECONDITION (LEASE_HELD), or
  // ABORTED (LEASE_LOST) for a token that no longer holds.
  absl::Status Check(std::string_view token) const;
  // Empty: nobody holds it.
  const std::string& holder() const;

 private:
  struct Holding {
    std::string holder;
    std::string token;
    Lost lost;
    std::shared_ptr<LeaseTerm> term = std::make_shared<LeaseTerm>();
  };
  std::optional<Holding> holding_;
};

}  // namespace talus
