// Reads the record of a step, of any engine, and prints how good its impulses are by our
// definition: one JSON object.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/bench/peers/record_quality.h"
#include "tests/bench/peers/text_file.h"

namespace talus::peers {
namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "talus_peer_residual: %s\n", std::string(status.message()).c_str());
  return 2;
}

int Run(const char* path) {
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return Fail(text.status());
  const absl::StatusOr<StepRecord> record = ParseStepRecord(*text);
  if (!record.ok()) return Fail(record.status());
  WorkerArena workers(1);
  const RecordQuality quality = ComputeRecordQuality(workers, *record);
  const nlohmann::ordered_json json = {{"contacts", record->contacts.size()},
                                       {"residual", quality.residual},
                                       {"worst_contact_residual", quality.worst_contact_residual},
                                       {"worst_penetration_m", quality.worst_penetration_m},
                                       {"weight_carried", quality.weight_carried},
                                       {"velocity_mismatch", quality.velocity_mismatch}};
  std::puts(json.dump().c_str());
  return 0;
}

}  // namespace
}  // namespace talus::peers

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s RECORD.json\n", argv[0]);
    return 2;
  }
  return talus::peers::Run(argv[1]);
}
