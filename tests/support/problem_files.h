// The bare problems of tests/problems, by name: read as a user would read them, so that a test that
// asks for one also says when it cannot be read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "solver/problem_io/json_problem.h"

namespace talus::testing {

// Programs of tests stand somewhere in build/<preset>/tests of the source tree.
inline std::filesystem::path ProblemFolder() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  for (auto folder = program.parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / "CMakePresets.json")) return folder / "tests/problems";
  }
  ADD_FAILURE() << program << " does not stand in the source tree";
  return {};
}

inline std::vector<std::string> ProblemNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ProblemFolder())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

inline std::string ReadProblemText(const std::string& name) {
  std::ifstream file(ProblemFolder() / (name + ".json"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline ProblemFile LoadProblem(const std::string& name) {
  absl::StatusOr<ProblemFile> file = ReadJsonProblem(ReadProblemText(name));
  EXPECT_TRUE(file.ok()) << name << ": " << file.status();
  return file.ok() ? *std::move(file) : ProblemFile{};
}

}  // namespace talus::testing
