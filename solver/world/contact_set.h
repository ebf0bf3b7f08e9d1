// The contacts of one step with what they carry: filled by the step, and kept until the next one
// so that they can be asked for. Rows in it are those of the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/solvers/contact_solver.h"
#include "solver/state/body_store.h"
#include "solver/state/contact_cache.h"
#include "solver/world/contact_record.h"

namespace talus {

// What a contact's key says beside its bodies, whose rows the contact has.
struct ContactMark {
  uint32_t feature = 0;
  uint32_t ordinal = 0;
  uint16_t shape_a = 0;  // indices of shapes on their bodies: 320 of them at most
  uint16_t shape_b = 0;

  bool operator==(const ContactMark&) const = default;
};

struct ContactSet {
  std::vector<ContactInput> contacts;  // sorted by key
  std::vector<ContactMark> marks;
  ContactSolution solution;
  std::vector<BodyId> old_ids;  // by row, when bodies have gone since the step; else empty

  // `ids`: those of the rows in the step.
  ContactKey key(size_t contact, std::span<const BodyId> ids) const {
    const ContactInput& input = contacts[contact];
    const ContactMark& mark = marks[contact];
    return {ids[input.body_a], ids[input.body_b], mark.shape_a,
            mark.shape_b,      mark.feature,      mark.ordinal};
  }
  // To be called before bodies go: `ids` are those of their rows.
  void NoteIds(std::span<const BodyId> ids) {
    if (old_ids.empty()) old_ids.assign(ids.begin(), ids.end());
  }
  void Clear();
};

// What a user sees of it, with the rows the bodies have now; contacts of bodies that are gone are
// left out.
std::vector<ContactRecord> MakeContactRecords(const ContactSet& set, const BodyStore& bodies,
                                              double time_step_s);

}  // namespace talus
