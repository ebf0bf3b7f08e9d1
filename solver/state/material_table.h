// The materials of a scene by row and by name, and what pairs of them are to each other. Row 0 has
// no name and no friction; rows only ever grow, so that a shape may keep one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/scene/scene_def.h"

namespace talus {

class MaterialTable {
 public:
  MaterialTable() { Add({}); }

  size_t size() const { return materials_.size(); }
  NamedMaterial operator[](size_t row) const { return {names_[row], materials_[row]}; }
  std::span<const Material> materials() const { return materials_; }
  std::span<const PairedMaterial> pairs() const { return pairs_; }  // ascend by key

  // Whether anything gives way, whether anything of that creeps, whether anything remembers,
  // whether Hertz's law holds anywhere.
  bool elastic() const { return elastic_; }
  bool viscous() const { return viscous_; }
  bool remembers() const { return remembers_; }
  bool hertzian() const { return hertzian_; }

  // The name must be new.
  void Add(const NamedMaterial& material) {
    rows_by_name_.emplace(material.name, static_cast<uint32_t>(size()));
    names_.push_back(material.name);
    materials_.push_back(material.material);
    Note(material.material.elasticity);
  }
  // All of the scene's, of which no two are of the same rows.
  void SetPairs(std::vector<PairedMaterial> pairs) {
    pairs_ = std::move(pairs);
    for (const PairedMaterial& pair : pairs_) Note(pair.material.elasticity);
    std::ranges::sort(pairs_, {}, &PairedMaterial::key);
  }
  // The empty name is row 0.
  std::optional<uint32_t> FindRow(std::string_view name) const {
    const auto found = rows_by_name_.find(name);
    if (found == rows_by_name_.end()) return std::nullopt;
    return found->second;
  }

 private:
  void Note(const Elasticity& elasticity) {
    elastic_ = elastic_ || !elasticity.rigid();
    viscous_ = viscous_ || elasticity.viscous();
    remembers_ = remembers_ || elasticity.remembers();
    hertzian_ = hertzian_ || elasticity.youngs_modulus_pa > 0.0;
  }

  std::vector<std::string> names_;
  std::vector<Material> materials_;
  std::vector<PairedMaterial> pairs_;
  std::map<std::string, uint32_t, std::less<>> rows_by_name_;
  bool elastic_ = false;
  bool viscous_ = false;
  bool remembers_ = false;
  bool hertzian_ = false;
};

}  // namespace talus
