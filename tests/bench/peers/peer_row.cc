#include "tests/bench/peers/peer_row.h"

#include <nlohmann/json.hpp>

namespace talus::peers {

std::string ToJson(const PeerRow& row) {
  const nlohmann::ordered_json json = {{"id", row.id},
                                       {"engine", row.engine},
                                       {"engine_settings", row.engine_settings},
                                       {"threads", row.threads},
                                       {"steps", row.steps},
                                       {"bodies", row.bodies},
                                       {"contacts", row.contacts},
                                       {"sweeps", row.sweeps},
                                       {"residual", row.residual},
                                       {"median_residual", row.median_residual},
                                       {"residual_note", row.residual_note},
                                       {"ms_per_step", row.ms_per_step},
                                       {"cpu_ms_per_step", row.cpu_ms_per_step},
                                       {"ns_per_contact_sweep", row.ns_per_contact_sweep},
                                       {"worst_contact_residual", row.worst_contact_residual},
                                       {"worst_penetration_m", row.worst_penetration_m},
                                       {"weight_carried", row.weight_carried},
                                       {"velocity_mismatch", row.velocity_mismatch},
                                       {"peak_mib", row.peak_mib}};
  return json.dump() + "\n";
}

}  // namespace talus::peers
