// The states that are measured: which there are, how each is made, and the store on disk that keeps
// what is dear to make.
//
// A state is a whole world with its warm impulses, as a snapshot. It depends on its key alone:
// makers are seeded and steps have one result. The law is part of the key, because CCP opens moving
// contacts: a heap that NCP made would first have to swell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/scene/solver_settings.h"

namespace talus::bench {

enum class StateKind {
  kPileRest,       // a heap at rest
  kPileFlow,       // a heap that a nozzle is pouring onto
  kPileCollapse,   // a column falling apart
  kBox,            // packed between walls, at rest
  kDrum,           // turning, half full
  kWall,           // bricks in running bond, at rest
  kSceneRest,      // one small heap at rest; 64 seeds make a row of many scenes
  kSceneCollapse,  // one small column that begins to fall apart; the same
  kLattice,        // no world but a bare contact problem (bare_sweeps.h); nothing is kept of it
};

struct StateKey {
  StateKind kind = StateKind::kPileRest;
  int64_t bodies = 1000;  // dynamic ones at the start
  ContactLaw law = ContactLaw::kNcp;
  uint64_t seed = 1;
};

// `pile-rest-10k-ncp`, and with the seed when that is not 1.
std::string StateName(const StateKey& key);

// Where states are kept, and whether those that are there count.
struct StateStore {
  std::string folder;
  bool fresh = false;  // make every state again, once a run
};

// The snapshot of a state: from the store when it is there and whole, else made, with progress on
// stderr, and stored. Ends the program when a state cannot be made or a state at rest does not
// rest.
std::string LoadState(const StateKey& key, const StateStore& store);

}  // namespace talus::bench
