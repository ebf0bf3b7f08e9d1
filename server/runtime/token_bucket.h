// How often something may happen: a bucket that fills at a steady rate up to what it holds, and a
// token of it each time.
//
// More may be taken than is there; what is owed has to flow in before the next token is. Reads no
// clock and has no lock: whoever has it does.
#pragma once

#include "server/runtime/clock.h"

namespace talus {

class TokenBucket {
 public:
  // Full. `tokens_per_s` > 0, `size` >= 1.
  TokenBucket(double tokens_per_s, double size)
      : tokens_per_s_(tokens_per_s), size_(size), tokens_(size) {}

  // Lets in what has come since the last time; a clock that stands or goes back brings nothing.
  void Fill(Clock::TimePoint now);
  bool has_token() const;
  // After the last Fill, until there is a token.
  Clock::Duration WaitForToken() const;
  void Take() { tokens_ -= 1.0; }

 private:
  double tokens_per_s_;
  double size_;
  double tokens_;
  Clock::TimePoint filled_at_;
};

}  // namespace talus
