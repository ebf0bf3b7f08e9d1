#include "solver/state/material_snapshot.h"

#include <utility>
#include <vector>

#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

constexpr size_t kMaterialBytes = kMaterialNumbers.size() * sizeof(double);  // at least

void EncodeMaterial(const Material& material, SavedElasticity saved, ByteWriter& out) {
  for (const auto number : kMaterialNumbers) out.Write(material.*number);
  if (saved == SavedElasticity::kNone) return;
  for (const auto number : kElasticNumbers) out.Write(material.elasticity.*number);
  if (saved == SavedElasticity::kElastic) return;
  for (const auto number : kViscousNumbers) out.Write(material.elasticity.*number);
}

Material DecodeMaterial(ByteReader& in, SavedElasticity saved) {
  Material material;
  for (const auto number : kMaterialNumbers) material.*number = in.Read<double>();
  if (saved == SavedElasticity::kNone) return material;
  for (const auto number : kElasticNumbers) material.elasticity.*number = in.Read<double>();
  if (saved == SavedElasticity::kElastic) return material;
  for (const auto number : kViscousNumbers) material.elasticity.*number = in.Read<double>();
  return material;
}

}  // namespace

// Row 0 is the same in every scene and stays out.
void EncodeMaterials(const MaterialTable& materials, SavedElasticity saved, ByteWriter& out) {
  out.Write(static_cast<uint64_t>(materials.size() - 1));
  for (size_t row = 1; row < materials.size(); ++row) {
    out.WriteText(materials[row].name);
    EncodeMaterial(materials[row].material, saved, out);
  }
}

void EncodeMaterialPairs(const MaterialTable& materials, SavedElasticity saved, ByteWriter& out) {
  out.Write(static_cast<uint64_t>(materials.pairs().size()));
  for (const PairedMaterial& pair : materials.pairs()) {
    out.Write(pair.row_a);
    out.Write(pair.row_b);
    EncodeMaterial(pair.material, saved, out);
  }
}

absl::Status DecodeMaterials(ByteReader& in, SavedElasticity saved, MaterialTable& materials) {
  std::vector<NamedMaterial> rows(in.ReadCount(4 + kMaterialBytes));
  for (NamedMaterial& named : rows) {
    named.name = in.ReadText(kMaxNameLength);
    named.material = DecodeMaterial(in, saved);
  }
  if (!in.ok()) return absl::InvalidArgumentError("the materials do not parse");
  TALUS_RETURN_IF_ERROR(ValidateMaterials(rows, [](std::string_view) { return false; }));
  for (const NamedMaterial& named : rows) materials.Add(named);
  return absl::OkStatus();
}

absl::Status DecodeMaterialPairs(ByteReader& in, SavedElasticity saved, MaterialTable& materials) {
  std::vector<PairedMaterial> pairs(in.ReadCount(2 * sizeof(uint32_t) + kMaterialBytes));
  if (pairs.empty()) in.Fail();
  std::vector<MaterialPair> named;
  for (PairedMaterial& pair : pairs) {
    const bool first = &pair == pairs.data();
    pair.row_a = in.Read<uint32_t>();
    pair.row_b = in.Read<uint32_t>();
    pair.material = DecodeMaterial(in, saved);
    const bool sorted = first || (&pair - 1)->key() < pair.key();
    if (!sorted || pair.row_a == 0 || pair.row_a > pair.row_b || pair.row_b >= materials.size()) {
      in.Fail();
    }
    if (!in.ok()) break;
    named.push_back({materials[pair.row_a].name, materials[pair.row_b].name, pair.material});
  }
  if (!in.ok()) return absl::InvalidArgumentError("the pairs of materials do not parse");
  TALUS_RETURN_IF_ERROR(ValidateMaterialPairs(
      named, [&](std::string_view name) { return materials.FindRow(name).has_value(); }));
  materials.SetPairs(std::move(pairs));
  return absl::OkStatus();
}

}  // namespace talus
