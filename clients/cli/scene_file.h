// A scene file: a talus.v1.SceneSpec in proto3 JSON. Found by path or by the name of a scene that
// came with Talus, read with errors that name file, line and field, and changed by what the command
// line says. Whether the scene makes sense is the server's to say; its answer is brought back to a
// line of the file here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/json_positions.h"
#include "clients/cpp/result.h"
#include "talus/v1/scene.pb.h"

namespace talus::cli {

struct SceneFile {
  std::string path;
  v1::SceneSpec spec;
  JsonPositions positions;

  // The i-th emitter gets seed + i.
  void ApplySeed(uint64_t seed);
  void ApplyTolerance(double tolerance);
  // With the law's own solver.
  void ApplyLaw(v1::ContactLaw law);
  void ApplySolver(v1::ContactSolver solver);
  // Sets what is set of these.
  void ApplyPsor(const v1::PsorSettings& psor);
  // Where the solver is no longer PSOR, what the file says of it is left out.
  void DropForeignPsor();
  void ApplyFacets(int count);
  // `scene.json:17: ` when the error names a field that stands in the file, else empty. `prefix`:
  // where the spec is in the request.
  std::string Place(const client::Error& error, const std::string& prefix = "spec.") const;
};

// `name` is a path, or a named scene as in `gravel_pile`, looked for in TALUS_SCENES and in the
// installation. Errors have Code::kInvalidArgument (no scene) or kNotFound (no file).
client::Result<SceneFile> LoadSceneFile(const std::string& name);
// The same of a text; `path` is for the messages.
client::Result<SceneFile> ParseSceneFile(const std::string& path, const std::string& text);

}  // namespace talus::cli
