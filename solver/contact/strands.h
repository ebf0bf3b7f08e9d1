// Strands: the contacts that one worker sweeps in order, one list of them after the other.
//
// Strands of one phase share no dynamic body, so workers sweep them at once; phases follow each
// other. Bodies that touch are near each other: slabs of bodies stand across the longest axis, and
// a list of contacts is what lies within the slabs 0 and 1, 2 and 3, ...; then come the lists of
// what crosses from 1 to 2, from 3 to 4, .... A list that is too long is divided once more in the
// same way, across the second longest axis. Contacts of bodies that lie further apart, which few
// but large bodies have, come last. So a sweep, of however many contacts, takes two to four phases,
// and what a strand needs stays in the cache of one core (docs/decisions/0011-strands.md).
//
// What comes out depends on the contacts and positions alone, not on the number of workers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// Contacts that a strand aims at where there are many: their bodies stay in the nearest cache, and
// sweeping them takes ten times as long as handing them to a worker.
inline constexpr size_t kStrandContacts = 1536;

// So few contacts are one strand, wherever their bodies are.
inline constexpr size_t kOneStrandContacts = 1536;

struct Strands {
  std::vector<uint32_t> contacts;     // strand after strand; within one in the caller's order
  std::vector<uint32_t> begin;        // strand -> first of `contacts`; one more entry than strands
  std::vector<uint32_t> phase_begin;  // phase -> first strand; one more entry than phases

  size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::span<const uint32_t> Get(size_t strand) const {
    return std::span(contacts).subspan(begin[strand], begin[strand + 1] - begin[strand]);
  }
};

// Memory to work in: what it holds counts for nothing, before and after.
struct StrandScratch {
  std::vector<uint32_t>& numbers;     // contacts by list and bin; then by contact its strand
  std::vector<uint32_t>& cells;       // by body: its slab and its bin across
  std::vector<uint16_t>& row_of_bin;  // by list and bin: the slab
};

// By body row: `positions` (m) and `inverse_masses`, 0 for prescribed bodies, which strands may
// share. No strand is empty, and no phase.
void FindStrands(WorkerArena& workers, std::span<const Vec3> positions,
                 std::span<const double> inverse_masses, std::span<const ContactInput> contacts,
                 const StrandScratch& scratch, Strands& strands);

}  // namespace talus
