// The materials of a scene by row and by name. Row 0 has no name and no friction; rows only ever
// grow, so that a shape may keep one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/scene/scene_def.h"

namespace talus {

class MaterialTable {
 public:
  MaterialTable() { Add({}); }

  size_t size() const { return materials_.size(); }
  NamedMaterial operator[](size_t row) const { return {names_[row], materials_[row]}; }
  std::span<const Material> materials() const { return materials_; }

  // The name must be new.
  void Add(const NamedMaterial& material) {
    rows_by_name_.emplace(material.name, static_cast<uint32_t>(size()));
    names_.push_back(material.name);
    materials_.push_back(material.material);
  }
  // The empty name is row 0.
  std::optional<uint32_t> FindRow(std::string_view name) const {
    const auto found = rows_by_name_.find(name);
    if (found == rows_by_name_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<std::string> names_;
  std::vector<Material> materials_;
  std::map<std::string, uint32_t, std::less<>> rows_by_name_;
};

}  // namespace talus
