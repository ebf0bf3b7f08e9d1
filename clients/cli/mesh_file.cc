#include "clients/cli/mesh_file.h"

#include <cstdio>
#include <filesystem>

namespace talus::cli {
namespace {

// By RollingExit; ContactPairState has the same numbers for what a trough's mesh has.
constexpr const char* kExitNames[] = {"", "none", "RS", "SR", "SS", "opening"};
static_assert(int{v1::ROLLING_EXIT_ROLL_SLIP} == int{v1::CONTACT_PAIR_STATE_ROLL_SLIP});
static_assert(int{v1::ROLLING_EXIT_SLIP_ROLL} == int{v1::CONTACT_PAIR_STATE_SLIP_ROLL});
static_assert(int{v1::ROLLING_EXIT_SLIP_SLIP} == int{v1::CONTACT_PAIR_STATE_SLIP_SLIP});

std::string PointText(const double* point, const char* separator) {
  char text[96];
  std::snprintf(text, sizeof text, "%.17g%s%.17g%s%.17g", point[0], separator, point[1], separator,
                point[2]);
  return text;
}

template <typename Response>
std::string EncodePly(const Response& mesh) {
  std::string text =
      "ply\nformat ascii 1.0\n"
      "comment exit: 1 none, 2 RS, 3 SR, 4 SS, 5 opening\n"
      "element vertex " +
      std::to_string(mesh.vertices_size() / 3) +
      "\nproperty double x\nproperty double y\nproperty double z\n"
      "element face " +
      std::to_string(mesh.exits_size()) +
      "\nproperty list uchar uint vertex_indices\nproperty uchar exit\nend_header\n";
  for (int i = 0; i + 2 < mesh.vertices_size(); i += 3) {
    text.append(PointText(mesh.vertices().data() + i, " ")).append("\n");
  }
  for (int i = 0; i < mesh.exits_size(); ++i) {
    text += "3";
    for (int corner = 0; corner < 3; ++corner) {
      text.append(" ").append(std::to_string(mesh.triangles(3 * i + corner)));
    }
    text.append(" ").append(std::to_string(int{mesh.exits(i)})).append("\n");
  }
  return text;
}

template <typename Response>
std::string EncodeCsv(const Response& mesh) {
  std::string text = "exit,x0,y0,z0,x1,y1,z1,x2,y2,z2\n";
  for (int i = 0; i < mesh.exits_size(); ++i) {
    text += kExitNames[mesh.exits(i)];
    for (int corner = 0; corner < 3; ++corner) {
      const auto vertex = static_cast<int>(mesh.triangles(3 * i + corner));
      text.append(",").append(PointText(mesh.vertices().data() + 3 * vertex, ","));
    }
    text += "\n";
  }
  return text;
}

template <typename Response>
std::string Encode(const Response& mesh, MeshFormat format) {
  switch (format) {
    case MeshFormat::kPly:
      return EncodePly(mesh);
    case MeshFormat::kCsv:
      return EncodeCsv(mesh);
    case MeshFormat::kObj:
      break;
  }
  return mesh.obj();
}

}  // namespace

MeshFormat MeshFormatOf(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".ply") return MeshFormat::kPly;
  if (extension == ".csv") return MeshFormat::kCsv;
  return MeshFormat::kObj;
}

std::string EncodeMesh(const v1::MeshRollingLoadsResponse& mesh, MeshFormat format) {
  return Encode(mesh, format);
}

std::string EncodeMesh(const v1::MeshTroughSurfaceResponse& mesh, MeshFormat format) {
  return Encode(mesh, format);
}

}  // namespace talus::cli
