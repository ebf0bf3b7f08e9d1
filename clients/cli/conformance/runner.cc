#include "clients/cli/conformance/runner.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

bool Fits(const Check& check, const std::string& word) {
  return word == check.area || word == check.area + '.' + check.name;
}

Verdict RunCheck(const Check& check, Ground& ground) {
  const bool offered = std::ranges::any_of(
      check.features, [&](const std::string& feature) { return ground.Offers(feature); });
  if (!check.features.empty() && !offered) {
    return Verdict::Skip("the server does not offer " + check.features.front());
  }
  return check.run(ground);
}

}  // namespace

std::vector<Check> ListChecks() {
  std::vector<Check> all;
  for (const auto list :
       {ListServerChecks, ListSceneChecks, ListNamedSceneChecks, ListUpdateChecks, ListModelChecks,
        ListRayChecks, ListStepChecks, ListResetChecks, ListControlChecks, ListStreamChecks,
        ListStorageChecks, ListErrorChecks, ListWorldChecks, ListAgentChecks}) {
    std::ranges::move(list(), std::back_inserter(all));
  }
  return all;
}

std::vector<Check> ChooseChecks(const std::vector<std::string>& only,
                                std::vector<std::string>& unknown) {
  const std::vector<Check> all = ListChecks();
  std::ranges::copy_if(only, std::back_inserter(unknown), [&](const std::string& word) {
    return std::ranges::none_of(all, [&](const Check& check) { return Fits(check, word); });
  });
  if (only.empty()) return all;
  std::vector<Check> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const Check& check) {
    return std::ranges::any_of(only, [&](const std::string& word) { return Fits(check, word); });
  });
  return chosen;
}

std::vector<Finding> RunChecks(const std::vector<Check>& checks, Ground& ground,
                               const std::function<void(const Finding&)>& told) {
  std::vector<Finding> findings;
  for (const Check& check : checks) {
    const auto begin = std::chrono::steady_clock::now();
    Finding finding{check.area, check.name, RunCheck(check, ground), 0.0};
    finding.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    told(finding);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace talus::cli::conformance
