// Solves bare rolling problems by our default and by Siconos, checks what is claimed of ours, and
// prints the table. Times are judged only when asked to: a busy machine says little about them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "solver/matrix_solvers/same_bits.h"
#include "tests/siconos/bare_problems.h"
#include "tests/siconos/comparison_sheet.h"

namespace {

using talus::siconos::Comparison;

// What is claimed: so many problems solved by both, and of all of them ours solves each but this
// heap at rest, where the last of the residual is of impulses that stress nothing but each other.
// Should Siconos solve it, the table says so.
constexpr size_t kFewest = 50;
constexpr std::array<std::string_view, 1> kUnsolved = {"pile_180_resting"};

struct Arguments {
  const char* json_file = nullptr;
  std::string part;      // only problems whose name contains it
  double slowest = 0.0;  // the least of their time beside ours, where they solve; 0: any
  talus::siconos::Effort effort;
};

bool ReadArguments(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--json") {
      arguments.json_file = argv[i + 1];
    } else if (name == "--only") {
      arguments.part = argv[i + 1];
    } else if (name == "--work") {
      arguments.effort.work = std::atof(argv[i + 1]);
    } else if (name == "--longer") {
      arguments.effort.longer = std::atof(argv[i + 1]);
      if (!(arguments.effort.longer >= 0.0 && arguments.effort.longer <= 1000.0)) return false;
    } else if (name == "--repeats") {
      const std::string_view value = argv[i + 1];
      if (value.empty() || value.find_first_not_of("0123456789") != value.npos) return false;
      arguments.effort.repeats = std::atoi(argv[i + 1]);
    } else if (name == "--slowest") {
      arguments.slowest = std::atof(argv[i + 1]);
      if (!(arguments.slowest > 0.0)) return false;
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && arguments.effort.work >= 1.0;
}

std::vector<Comparison> CompareAll(const Arguments& arguments) {
  std::vector<Comparison> comparisons;
  talus::siconos::ForEachProblem(
      [&](const std::string& name, const std::string& family, const auto& make) {
        if (name.find(arguments.part) == std::string::npos) return;
        comparisons.push_back(talus::siconos::Compare(name, family, make(), arguments.effort));
        std::printf("%s", talus::siconos::WriteRow(comparisons.back()).c_str());
        std::fflush(stdout);
      });
  return comparisons;
}

bool CheckTimes(const std::vector<Comparison>& comparisons, double slowest) {
  bool good = true;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.theirs.solved || comparison.time_ratio >= slowest) continue;
    std::printf("FAILED %s: ours took longer, × %.3g\n", comparison.name.c_str(),
                comparison.time_ratio);
    good = false;
  }
  return good;
}

bool Check(const std::vector<Comparison>& comparisons, const Arguments& arguments) {
  bool good = CheckTimes(comparisons, arguments.slowest);
  for (const Comparison& comparison : comparisons) {
    const bool known = std::ranges::find(kUnsolved, comparison.name) != kUnsolved.end();
    if (comparison.holds() || (known && !comparison.ours.solved)) continue;
    std::printf("FAILED %s\n", comparison.name.c_str());
    good = false;
  }
  const auto both = std::ranges::count_if(comparisons, [](const Comparison& comparison) {
    return comparison.ours.solved && comparison.theirs.solved;
  });
  if (arguments.part.empty() && static_cast<size_t>(both) < kFewest) {
    std::printf("FAILED: fewer than %zu problems solved by both\n", kFewest);
    good = false;
  }
  return good && !comparisons.empty();
}

}  // namespace

int main(int argc, char** argv) {
  // Siconos' dense solves would take several, ours do not.
  talus::matrix::KeepSameBits();
  Arguments arguments;
  if (!ReadArguments(argc, argv, arguments)) {
    std::fprintf(
        stderr,
        "usage: %s [--json FILE] [--only PART] [--work N] [--longer TIMES] [--repeats N] "
        "[--slowest "
        "RATIO]\n"
        "TIMES: of our time that Siconos is given in any case, 0 to 1000\n"
        "RATIO: fail where Siconos solves in less than that much of our time, e.g. 1; on an "
        "idle machine only\n",
        argv[0]);
    return 2;
  }
  std::printf("%s", talus::siconos::WriteHead().c_str());
  const std::vector<Comparison> comparisons = CompareAll(arguments);
  std::printf("%s", talus::siconos::WriteSummary(comparisons).c_str());
  if (arguments.json_file != nullptr) {
    std::ofstream file(arguments.json_file);
    file << talus::siconos::WriteJson(comparisons);
    file.close();
    if (!file) {
      std::fprintf(stderr, "%s: cannot write\n", arguments.json_file);
      return 2;
    }
  }
  return Check(comparisons, arguments) ? 0 : 1;
}
