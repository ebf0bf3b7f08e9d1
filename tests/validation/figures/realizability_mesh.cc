// Writes the surface of [AS] Fig. 11 as two Wavefront OBJ files, FOLDER/all_faces.obj and
// FOLDER/limit_directions.obj, for a solid ball (j = 2/5) with the sliding friction given.
#include "solver/analysis/realizability_mesh.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "solver/analysis/trough_ball.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s FOLDER FRICTION CELLS\n", argv[0]);
    return 2;
  }
  talus::TroughBall ball;
  ball.sliding_friction = std::strtod(argv[2], nullptr);
  const std::pair<talus::TroughBody, const char*> bodies[] = {
      {talus::TroughBody::kAllFaces, "all_faces"},
      {talus::TroughBody::kLimitDirections, "limit_directions"}};
  for (const auto& [body, name] : bodies) {
    const auto mesh = talus::MeshRealizability(ball, body, std::atoi(argv[3]));
    if (!mesh.ok()) {
      std::fprintf(stderr, "%s\n", std::string(mesh.status().message()).c_str());
      return 2;
    }
    const std::string path = std::string(argv[1]) + "/" + name + ".obj";
    std::ofstream file(path);
    file << talus::EncodeObj(*mesh);
    file.close();
    if (!file) {
      std::fprintf(stderr, "%s: cannot write\n", path.c_str());
      return 2;
    }
  }
  return 0;
}
