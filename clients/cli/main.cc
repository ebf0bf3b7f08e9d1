// talusctl: the command line of Talus.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "clients/cli/commands.h"
#include "clients/cli/context.h"
#include "clients/cli/exit_code.h"

int main(int argc, char** argv) {
  using namespace talus::cli;
  // What follows `serve` is the server's, --help and --listen included, so it is not parsed here.
  if (argc > 1 && std::string(argv[1]) == "serve") return Serve({argv + 2, argv + argc});
  Context context;
  CLI::App app{
      "Talus: rigid-body contact dynamics as a service. Commands for a server and for single "
      "runs."};
  app.footer(std::string("\n") + kExitCodeHelp);
  app.require_subcommand(1);
  app.fallthrough();  // --server, --json and --timeout are understood after the command as well
  context.AddOptions(app);
  AddServeCommand(app, context);
  AddServerCommands(app, context);
  AddDoctorCommand(app, context);
  AddConformanceCommand(app, context);
  AddCreateCommand(app, context);
  AddSceneCommands(app, context);
  AddImportCommand(app, context);
  AddStepCommand(app, context);
  AddQueryCommands(app, context);
  AddWatchCommand(app, context);
  AddEventsCommand(app, context);
  AddSnapshotCommands(app, context);
  AddRecordCommands(app, context);
  AddExportCommand(app, context);
  AddRunCommand(app, context);
  AddProblemCommands(app, context);
  AddRollingCommands(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return kExitUsage;
  }
  // What a full disk or a closed output took from the results.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "talusctl: cannot write to standard output\n");
    if (context.exit_code == kExitOk) return kExitFailure;
  }
  return context.exit_code;
}
