#include "tests/siconos/comparison_sheet.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace talus::siconos {
namespace {

std::string Format(const char* format, ...) {
  std::array<char, 512> text;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  return text.data();
}

const char* VerdictOf(const Comparison& comparison) {
  if (comparison.ours.solved && comparison.theirs.solved) {
    return comparison.holds() ? "both" : "velocities differ";
  }
  if (comparison.ours.solved) return "ours alone";
  return comparison.theirs.solved ? "Siconos alone" : "neither";
}

std::string WriteTimeRatio(const Comparison& row) {
  if (row.theirs.solved) return Format("%.3g", row.time_ratio);
  return row.ours.solved ? Format("> %.3g", row.time_ratio) : "-";
}

nlohmann::json ToJson(const Answer& answer) {
  return {{"method", answer.method},
          {"solved", answer.solved},
          {"residual", answer.certificate.residual},
          {"eta", answer.certificate.worst_contact_residual},
          {"siconos_error", answer.certificate.siconos_error},
          {"siconos_measure", answer.siconos_measure},
          {"iterations", answer.iterations},
          {"cpu_s", answer.seconds}};
}

}  // namespace

std::string WriteRow(const Comparison& row) {
  const Answer& ours = row.ours;
  const Answer& theirs = row.theirs;
  std::string text =
      Format("| %s | %zu | %.1e | %.1e | %.1e | %d | %.3g |", row.name.c_str(), row.contacts,
             ours.certificate.residual, ours.certificate.worst_contact_residual,
             ours.siconos_measure, ours.iterations, 1e3 * ours.seconds);
  text += Format(" %s | %.1e | %.1e | %.1e | %d | %.3g | %s |", theirs.method.c_str(),
                 theirs.certificate.residual, theirs.certificate.worst_contact_residual,
                 theirs.siconos_measure, theirs.iterations, 1e3 * theirs.seconds,
                 WriteTimeRatio(row).c_str());
  text += row.uniqueness == Uniqueness::kNone
              ? std::string(" - |")
              : Format(" %.1e (%s) |", row.velocity_difference, NameOf(row.uniqueness).c_str());
  return text + Format(" %s |\n", VerdictOf(row));
}

std::string WriteHead() {
  return "| problem | contacts | ours: residual | η | Siconos' error | sweeps | ms | Siconos | "
         "residual "
         "| η | own error | iterations | ms | × | velocities | solved by |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
}

std::string WriteSummary(std::span<const Comparison> comparisons) {
  int ours = 0;
  int theirs = 0;
  int unique = 0;
  int slower = 0;
  size_t most = 0;
  for (const Comparison& comparison : comparisons) {
    if (comparison.theirs.solved) most = std::max(most, comparison.contacts);
    ours += comparison.ours.solved ? 1 : 0;
    theirs += comparison.theirs.solved ? 1 : 0;
    unique += comparison.uniqueness != Uniqueness::kNone ? 1 : 0;
    slower += comparison.theirs.solved && comparison.time_ratio < 1.0 ? 1 : 0;
  }
  return Format(
      "\n%zu problems: ours solves %d, Siconos %d, of which the largest has %zu contacts. Of those "
      "Siconos solves, ours took longer on %d. The law has one velocity on at least %d.\n",
      comparisons.size(), ours, theirs, most, slower, unique);
}

std::string WriteJson(std::span<const Comparison> comparisons) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Comparison& comparison : comparisons) {
    rows.push_back({{"id", comparison.name},
                    {"family", comparison.family},
                    {"contacts", comparison.contacts},
                    {"ours", ToJson(comparison.ours)},
                    {"siconos", ToJson(comparison.theirs)},
                    {"time_ratio", comparison.time_ratio},
                    {"uniqueness", NameOf(comparison.uniqueness)},
                    {"velocity_difference", comparison.velocity_difference},
                    {"verdict", VerdictOf(comparison)},
                    {"pass", comparison.holds()}});
  }
  return rows.dump(1) + "\n";
}

}  // namespace talus::siconos
