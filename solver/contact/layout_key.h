// What the layout of a problem of one strand follows from, kept from solve to solve: where nothing
// of it has changed, and in a heap at rest nothing has, the rows, colours and blocks of the last
// solve are those of the next.
//
// Problems of several strands follow from positions as well, and are laid out anew every time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/contact/contact_kinds.h"

namespace talus {

class LayoutKey {
 public:
  // Whether these contacts of `body_count` bodies have the layout of those of the last call.
  // Remembers them, where they stand in one strand.
  bool Matches(std::span<const ContactInput> contacts, size_t body_count,
               const ContactKinds& kinds);

 private:
  struct Bodies {
    uint32_t a, b;
    bool operator==(const Bodies&) const = default;
  };

  size_t body_count_ = 0;
  std::vector<Bodies> bodies_;  // by contact; none: no layout is remembered
  ContactKinds kinds_;          // which say what bodies are dynamic, too
};

}  // namespace talus
