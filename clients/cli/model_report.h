// What became of a robot when it was put into a scene, as talusctl tells people.
#pragma once

#include <string>

#include "talus/v1/model.pb.h"

namespace talus::cli {

// A line for each joint that moves on standard output; what had no effect on standard error, with
// the file's line.
void PrintModelReport(const std::string& path, const v1::ModelReport& report);

}  // namespace talus::cli
