// The materials of a scene by row and by name. Row 0 has no name and no friction; rows only ever
// grow, so that a shape may keep one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/scene/scene_def.h"

namespace talus {

class MaterialTable {
 public:
  MaterialTable() { Add({}); }

  size_t size() const { return rows_.size(); }
  const NamedMaterial& operator[](size_t row) const { return rows_[row]; }

  // The name must be new.
  void Add(const NamedMaterial& material) {
    rows_by_name_.emplace(material.name, static_cast<uint32_t>(rows_.size()));
    rows_.push_back(material);
  }
  // The empty name is row 0.
  std::optional<uint32_t> FindRow(std::string_view name) const {
    const auto found = rows_by_name_.find(name);
    if (found == rows_by_name_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<NamedMaterial> rows_;
  std::map<std::string, uint32_t, std::less<>> rows_by_name_;
};

}  // namespace talus
