// The settings of a scene as a part of its snapshot.
//
// What decoding returns is not valid yet (scene/validate.h). Settings of the laws with flat sides,
// of PSOR and theta are written where they are not the defaults, and those of sleep where bodies
// may sleep, so that the settings of any other scene have the bytes they always had.
#pragma once

#include "solver/scene/step_settings.h"
#include "solver/state/byte_stream.h"

namespace talus {

// Whether the settings of the laws with flat sides are others than the defaults.
bool HasLawSettings(const SolverSettings& solver);
// Likewise of PSOR.
bool HasPsor(const SolverSettings& solver);

void EncodeSettings(const StepSettings& settings, ByteWriter& out);
// Which parts are there. The reader fails where another one than that of sleep is there and says
// what it would say by its absence: nothing has two encodings.
struct SettingsParts {
  bool sleeps = false;
  bool law = false;
  bool psor = false;
  bool theta = false;
};
StepSettings DecodeSettings(ByteReader& in, const SettingsParts& parts);

}  // namespace talus
