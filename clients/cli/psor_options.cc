#include "clients/cli/psor_options.h"

namespace talus::cli {

void AddPsorOptions(CLI::App& command, PsorOptions& options, const std::string& solvers,
                    const std::string& unset) {
  command.add_option("--psor-relaxation", options.relaxation,
                     solvers + ": omega, above 0 and below 2 [" + unset + "]");
  command.add_option("--psor-averaging", options.averaging,
                     solvers + ": lambda, above 0, at most 1 [" + unset + "]");
  command.add_flag("--psor-simultaneous", options.simultaneous,
                   "psor: each block from the last sweep alone (Jacobi), instead of from the "
                   "blocks before it too");
}

void ApplyPsorOptions(const PsorOptions& options, v1::PsorSettings& settings) {
  if (options.relaxation) settings.set_relaxation(*options.relaxation);
  if (options.averaging) settings.set_averaging(*options.averaging);
  if (options.simultaneous) settings.set_sequential(false);
}

}  // namespace talus::cli
