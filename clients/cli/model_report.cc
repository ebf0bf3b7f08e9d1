#include "clients/cli/model_report.h"

#include <cstdio>

namespace talus::cli {

void PrintModelReport(const std::string& path, const v1::ModelReport& report) {
  for (const v1::ImportedJoint& joint : report.joints()) {
    const char* unit = joint.axis() == 0 ? "m" : "rad";
    std::printf("%-28s axis %d", joint.name().c_str(), joint.axis());
    if (joint.lower() != 0.0 || joint.upper() != 0.0) {
      std::printf("  from %.6g to %.6g %s", joint.lower(), joint.upper(), unit);
    }
    if (joint.effort() != 0.0) {
      std::printf("  effort %.6g %s", joint.effort(), joint.axis() == 0 ? "N" : "N m");
    }
    std::printf("\n");
  }
  for (const v1::UnsupportedElement& element : report.unsupported()) {
    std::fprintf(stderr, "talusctl: warning: %s:%lld: %s: %s\n", path.c_str(),
                 static_cast<long long>(element.line()), element.element().c_str(),
                 element.effect().c_str());
  }
  if (report.unsupported_count() > report.unsupported_size()) {
    std::fprintf(stderr, "talusctl: warning: and %lld more that have no effect\n",
                 static_cast<long long>(report.unsupported_count() - report.unsupported_size()));
  }
}

}  // namespace talus::cli
