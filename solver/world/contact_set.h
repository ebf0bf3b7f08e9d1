// The contacts of one step with what they carry: filled by the step, and kept until the next one
// so that they can be asked for. Rows in it are those of the step; the keys' ids stay true when
// bodies come or go.
#pragma once

#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/solvers/contact_solver.h"
#include "solver/state/body_store.h"
#include "solver/state/contact_cache.h"
#include "solver/world/contact_record.h"

namespace talus {

struct ContactSet {
  std::vector<ContactInput> contacts;  // sorted by key
  std::vector<ContactKey> keys;
  ContactSolution solution;

  void Clear();
};

// What a user sees of it, with the rows the bodies have now; contacts of bodies that are gone are
// left out.
std::vector<ContactRecord> MakeContactRecords(const ContactSet& set, const BodyStore& bodies,
                                              double time_step_s);

}  // namespace talus
