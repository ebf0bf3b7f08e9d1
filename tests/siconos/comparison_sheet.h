// The comparisons written down: a table for people, as Markdown, and rows for programs.
#pragma once

#include <span>
#include <string>

#include "tests/siconos/comparison.h"

namespace talus::siconos {

// The table line by line, so that it can be read while it grows: head, rows, and what they come to.
std::string WriteHead();
std::string WriteRow(const Comparison& comparison);
std::string WriteSummary(std::span<const Comparison> comparisons);
std::string WriteJson(std::span<const Comparison> comparisons);

}  // namespace talus::siconos
