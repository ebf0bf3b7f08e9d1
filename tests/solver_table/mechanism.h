// The class of mechanisms: the guideway with its guide, drive, load and seal as rows with bounds,
// loaded by a force and, where its rows give way, by a spring.
#pragma once

#include <string>
#include <vector>

#include "solver/world/world.h"

namespace talus::solver_table {

struct Mechanism {
  std::string name;
  World world;  // rolling, after ten steps
};

std::vector<Mechanism> Mechanisms();

}  // namespace talus::solver_table
