#include "server/telemetry/stream_counts.h"

namespace talus::telemetry {

StreamCounts& TheStreamCounts() {
  static StreamCounts counts;
  return counts;
}

}  // namespace talus::telemetry
