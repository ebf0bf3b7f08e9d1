// What the server was told on its command line or in its environment. Parsing prints nothing and
// ends nothing: main decides. An option given on the command line wins over its environment
// variable, TALUS_ and the option's name in capitals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/rpc/listen_address.h"
#include "server/runtime/chosen_cores.h"
#include "server/security/tls_files.h"
#include "server/session/limits.h"
#include "server/telemetry/log.h"

namespace talus::app {

struct Options {
  std::vector<rpc::ListenAddress> listen;  // at least one
  std::string data_dir;                    // empty: nothing can be stored
  std::string scenes_dir;                  // scene files; empty: no scene has a name here
  int workers = 0;                         // cores lent to steps in all, >= 1 after parsing
  int workers_per_scene = 0;               // most cores lent to one step, >= 1 after parsing
  Limits limits;
  int64_t drain_seconds = 10;
  int64_t autosave_seconds = 0;     // 0: scenes are stored by CreateSnapshot only
  int autosave_keep = 2;            // newest states stored of each scene
  int64_t evict_after_seconds = 0;  // of not being used; 0: scenes stay in memory
  Cores call_cores;                 // of the threads that bring calls; empty: any
  int64_t keep_awake_us = 0;        // between short steps; 0: cores may fall asleep
  int64_t time_slice_us = 100;      // of the server's threads; 0: as the system gives
  int step_nice = 0;                // of threads that step large scenes; 0: as the server has
  bool end_with_stdin = false;      // drain when standard input ends: when whoever holds it is gone
  telemetry::LogLevel log_level = telemetry::LogLevel::kInfo;
  telemetry::LogFormat log_format = telemetry::LogFormat::kText;
  bool insecure = false;
  TlsFiles tls;                                      // without a certificate: plain text
  std::string token_file;                            // empty: no token is asked for
  std::optional<rpc::ListenAddress> metrics_listen;  // pages for monitoring, by HTTP
  bool accept_hdf5 = false;                          // contact problems may come as HDF5 files
  std::string health_check;     // not empty: ask that server instead of being one
  std::string health_check_ca;  // authorities that server's certificate must have
  // Every option with a variable, as it was given or by default, for the log; named as in
  // `data_dir`. Files are named, what is in them is not.
  std::vector<std::pair<std::string, std::string>> in_force;
};

// Either options to go on with, or a text to print and a code to exit with.
struct ParsedOptions {
  Options options;
  bool exit_now = false;
  int exit_code = 0;    // 0: help or version; 2: bad options
  std::string message;  // for standard output when exit_code is 0, else for standard error
};

ParsedOptions ParseOptions(int argc, const char* const* argv);

}  // namespace talus::app
