// What talusctl's exit codes mean; `talusctl --help` prints the same table. Batch systems decide by
// them, so they are part of the interface and do not change.
#pragma once

#include "clients/cpp/result.h"

namespace talus::cli {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailure = 1,      // a file could not be written, a server not started; a bad run folder; a
                         // doctor's bad finding, a failed check of conformance
  kExitUsage = 2,        // wrong options, a bad scene or request file, a run folder of another run
  kExitUnconverged = 3,  // run: complete, but more steps than allowed missed the tolerance; solve
  kExitFaulted = 4,      // run: the scene's state left all bounds or was not finite
  kExitMismatch = 5,     // replay: some hash differs from the recorded one
  kExitPartial = 6,      // export: the recording was cut off or damaged; what it held was exported
  kExitRpcBase = 10,     // plus the gRPC code of the call that failed
  kExitInterrupted = 130,  // SIGINT or SIGTERM; a run was saved and can be resumed
};

inline int ExitCodeOf(client::Code code) { return kExitRpcBase + static_cast<int>(code); }

inline constexpr char kExitCodeHelp[] =
    "Exit codes: 0 success; 1 a file or a server process failed; 2 wrong usage or a bad scene "
    "or request file;\n"
    "3 run: complete, but too many steps missed the tolerance; solve: short of it; 4 run: the\n"
    "scene faulted;\n"
    "5 replay: led elsewhere than the recording; 6 export: the recording was cut off or damaged,\n"
    "and what was whole of it has been exported;\n"
    "10 + gRPC code of a failed call (13 INVALID_ARGUMENT, 15 NOT_FOUND, 24 UNAVAILABLE, ...);\n"
    "130 interrupted (a run can be resumed by the same command).";

}  // namespace talus::cli
