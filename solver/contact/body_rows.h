// The rows that the bodies of a problem have in it: strand after strand those that no strand before
// has, so that what a worker writes lies together; then the prescribed ones. Bodies that touch
// nothing have none.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/contact/strands.h"

namespace talus {

inline constexpr uint32_t kNoRow = std::numeric_limits<uint32_t>::max();

struct BodyRows {
  std::vector<uint32_t> row;           // body -> row, or kNoRow
  std::vector<uint32_t> body;          // row -> body
  std::vector<uint32_t> strand_begin;  // strand -> its first row; one more entry than strands

  size_t count() const { return body.size(); }
};

void NumberRows(const Strands& strands, std::span<const ContactInput> contacts,
                std::span<const double> inverse_masses, BodyRows& rows);

}  // namespace talus
