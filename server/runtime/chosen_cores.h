// Which cores threads run on.
//
// A scene that goes from core to core leaves what it works on in the caches of the one before. Who
// steps small scenes in lock-step is answered sooner where all threads that bring calls share a
// core: each of them finds what the other one left.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace talus {

// Cores as the kernel counts them, from 0.
using Cores = std::vector<int>;

// Those that this thread may use, in their order; empty where the kernel does not say.
Cores FindUsableCores();

// INVALID_ARGUMENT naming `path`, the core and what is allowed: one that this thread may not use.
absl::Status CheckCores(const std::string& path, const Cores& cores);

// As long as it lives this thread, and for good all that it starts meanwhile, processes too, run on
// `cores`, which must be usable; where that is empty, as before.
class ChosenCores {
 public:
  explicit ChosenCores(const Cores& cores);
  ~ChosenCores();
  ChosenCores(const ChosenCores&) = delete;
  ChosenCores& operator=(const ChosenCores&) = delete;

 private:
  Cores before_;  // empty: nothing was changed
};

}  // namespace talus
