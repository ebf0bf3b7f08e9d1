// A URDF file, and the meshes it names as far as they are on this machine. What the file means is
// the server's to say.
#pragma once

#include <string>
#include <vector>

#include "clients/cpp/result.h"
#include "talus/v1/model.pb.h"

namespace talus::cli {

struct UrdfFile {
  std::string path;
  std::string text;
  std::vector<v1::ModelFile> meshes;  // by the names that the text has for them

  // `arm.urdf: ` when the error is about something in the file, else empty.
  std::string Place(const client::Error& error) const;
};

// With `meshes` those of collision shapes come along, as far as the server can read them (STL, OBJ)
// and they are found beside the file or in one of four folders above it:
// `package://arm/meshes/hand.stl` is looked for as arm/meshes/hand.stl, meshes/hand.stl and
// hand.stl. Errors as of ReadFile.
client::Result<UrdfFile> ReadUrdfFile(const std::string& path, bool meshes);

}  // namespace talus::cli
