// A mesh of loads as a file, by the extension of its name: .ply, .csv, else Wavefront OBJ, which
// the server writes. Triangles keep what happens across them, and numbers read back to the same
// bits.
#pragma once

#include <string>

#include "talus/v1/analysis_service.pb.h"

namespace talus::cli {

enum class MeshFormat { kObj, kPly, kCsv };
MeshFormat MeshFormatOf(const std::string& path);

// PLY in ASCII: vertices, and faces with the property `exit`, 1 none, 2 RS, 3 SR, 4 SS, 5 opening.
// CSV: a line a triangle, the exit's name and nine coordinates. OBJ: as it came.
std::string EncodeMesh(const v1::MeshRollingLoadsResponse& mesh, MeshFormat format);
std::string EncodeMesh(const v1::MeshTroughSurfaceResponse& mesh, MeshFormat format);

}  // namespace talus::cli
