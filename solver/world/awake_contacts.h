// The contacts that are solved in a step in which some bodies sleep: those of awake bodies, taken
// out of the step's contact set and put back with what they carry.
//
// The contacts of sleeping bodies keep the impulses of the warm start, which are the last that were
// solved. They are closed where they carry anything, and neither slide, roll nor spin. The memory
// is kept from step to step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/solvers/contact_solver.h"
#include "solver/world/contact_set.h"
#include "solver/world/sleepers.h"

namespace talus {

class AwakeContacts {
 public:
  // Copies the contacts whose dynamic bodies are awake, and where they find their warm impulses, in
  // the order of the set.
  void Take(const ContactSet& set, const WarmStart& warm, const Sleepers& sleepers);

  std::span<const ContactInput> contacts() const { return contacts_; }
  std::span<const uint32_t> kept_rows() const { return kept_rows_; }
  std::span<const uint32_t> places() const { return places_; }  // in the set, ascending
  ContactSolution& solution() { return solution_; }

  // Completes the solution of `set`: that of the awake contacts, and what is told of the contacts
  // of sleeping bodies.
  void PutBack(ContactSet& set);

 private:
  std::vector<uint32_t> places_;  // in the set, ascending
  std::vector<ContactInput> contacts_;
  std::vector<uint32_t> kept_rows_;
  std::vector<ContactImpulse> asleep_;  // what the other contacts of the set carry
  ContactSolution solution_;
};

}  // namespace talus
