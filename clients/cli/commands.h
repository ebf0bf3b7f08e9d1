// The commands of talusctl, one family a source file. Each function adds its subcommands to the
// application; what they come to goes into Context::exit_code. They know the client library and
// nothing of each other.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/context.h"

namespace CLI {
class App;
}

namespace talus::cli {

// Becomes talus_server with these arguments; comes back with an exit code only when that failed.
int Serve(const std::vector<std::string>& arguments);

void AddServeCommand(CLI::App& app, Context& context);        // serve
void AddServerCommands(CLI::App& app, Context& context);      // info, features, version
void AddDoctorCommand(CLI::App& app, Context& context);       // doctor
void AddConformanceCommand(CLI::App& app, Context& context);  // conformance
void AddCreateCommand(CLI::App& app, Context& context);       // create
void AddSceneCommands(CLI::App& app, Context& context);       // list, show, delete
void AddImportCommand(CLI::App& app, Context& context);       // import
void AddStepCommand(CLI::App& app, Context& context);         // step
void AddQueryCommands(CLI::App& app, Context& context);       // state, contacts, joints, …
void AddWatchCommand(CLI::App& app, Context& context);        // watch
void AddEventsCommand(CLI::App& app, Context& context);       // events
void AddSnapshotCommands(CLI::App& app, Context& context);    // snapshot …
void AddRecordCommands(CLI::App& app, Context& context);      // record …, replay
void AddExportCommand(CLI::App& app, Context& context);       // export
void AddRunCommand(CLI::App& app, Context& context);          // run
void AddProblemCommands(CLI::App& app, Context& context);     // solve, problem
void AddRollingCommands(CLI::App& app, Context& context);     // transition, rolling-loads, trough

}  // namespace talus::cli
