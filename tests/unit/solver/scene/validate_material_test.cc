// Elastic materials and pairs of materials: valid ones, and for each rule one thing that breaks it,
// with the message it must give.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "solver/base/field_error.h"
#include "solver/scene/validate.h"
#include "tests/support/special_numbers.h"

namespace talus {
namespace {

using testing::kInfinity;
using testing::kNan;

SceneDef MakeMaterialScene() {
  SceneDef scene;
  scene.materials.push_back({"stone", {0.6, 0.01, 0.01, 0.5}});
  return scene;
}

struct BadMaterial {
  std::string message;
  std::function<void(SceneDef&)> spoil;
};

void ExpectMaterialsRefused(const std::vector<BadMaterial>& cases) {
  for (const BadMaterial& bad : cases) {
    SceneDef scene = MakeMaterialScene();
    bad.spoil(scene);
    const absl::Status status = ValidateScene(scene);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad.message;
    EXPECT_EQ(std::string(status.message()), bad.message);
    EXPECT_TRUE(GetFieldError(status).has_value()) << bad.message;
  }
}

TEST(ValidateMaterialTest, Elasticity) {
  const auto set = [](double Elasticity::*number, double value) {
    return [=](SceneDef& s) {
      s.materials[0].material.restitution = 0.0;
      s.materials[0].material.elasticity.*number = value;
    };
  };
  const auto hertz_and = [&](double Elasticity::*number, double value) {
    return [=](SceneDef& s) {
      set(&Elasticity::youngs_modulus_pa, 1e9)(s);
      s.materials[0].material.elasticity.*number = value;
    };
  };
  const std::vector<std::function<void(SceneDef&)>> allowed = {
      set(&Elasticity::normal_stiffness_n_per_m, 1e5),
      set(&Elasticity::sliding_stiffness_n_per_m, 1e5),
      set(&Elasticity::rolling_stiffness_n_m_per_rad, 10.0),
      set(&Elasticity::spinning_stiffness_n_m_per_rad, 10.0),
      set(&Elasticity::sliding_viscosity_n_s_per_m, 1e-6),
      set(&Elasticity::rolling_viscosity_n_m_s_per_rad, 1e15),
      set(&Elasticity::spinning_viscosity_n_m_s_per_rad, 1.0),
      hertz_and(&Elasticity::sliding_viscosity_n_s_per_m, 1.0),
      set(&Elasticity::youngs_modulus_pa, 2e11)};
  for (const auto& change : allowed) {
    SceneDef scene = MakeMaterialScene();
    change(scene);
    EXPECT_TRUE(ValidateScene(scene).ok()) << ValidateScene(scene);
  }
  const std::string at = "materials[0].material.elasticity.";
  ExpectMaterialsRefused({
      {at + "normal_stiffness_n_per_m = -1 must be > 0",
       set(&Elasticity::normal_stiffness_n_per_m, -1.0)},
      {at + "normal_stiffness_n_per_m = nan must be > 0",
       set(&Elasticity::normal_stiffness_n_per_m, kNan)},
      {at + "normal_stiffness_n_per_m = 1e+16 must be in [1e-06, 1e+15]",
       set(&Elasticity::normal_stiffness_n_per_m, 1e16)},
      {at + "normal_damping_n_s_per_m = -1 must be >= 0",
       set(&Elasticity::normal_damping_n_s_per_m, -1.0)},
      {at + "normal_damping_n_s_per_m = 1 must be 0 without normal_stiffness_n_per_m or "
            "youngs_modulus_pa",
       set(&Elasticity::normal_damping_n_s_per_m, 1.0)},
      {at + "youngs_modulus_pa = 0.5 must be in [1, 1e+15]",
       set(&Elasticity::youngs_modulus_pa, 0.5)},
      {at + "poisson_ratio = 0.3 must be 0 without youngs_modulus_pa",
       set(&Elasticity::poisson_ratio, 0.3)},
      {at + "poisson_ratio = 0.6 must be in [0, 0.5]", hertz_and(&Elasticity::poisson_ratio, 0.6)},
      {at + "normal_stiffness_n_per_m = 1 must be 0 beside youngs_modulus_pa",
       hertz_and(&Elasticity::normal_stiffness_n_per_m, 1.0)},
      {at + "sliding_stiffness_n_per_m = 1 must be 0 beside youngs_modulus_pa",
       hertz_and(&Elasticity::sliding_stiffness_n_per_m, 1.0)},
      {at + "sliding_stiffness_n_per_m = inf must be finite",
       set(&Elasticity::sliding_stiffness_n_per_m, kInfinity)},
      {at + "rolling_stiffness_n_m_per_rad = -2 must be > 0",
       set(&Elasticity::rolling_stiffness_n_m_per_rad, -2.0)},
      {at + "spinning_stiffness_n_m_per_rad = 1e-07 must be in [1e-06, 1e+15]",
       set(&Elasticity::spinning_stiffness_n_m_per_rad, 1e-7)},
      {at + "sliding_viscosity_n_s_per_m = -1 must be > 0",
       set(&Elasticity::sliding_viscosity_n_s_per_m, -1.0)},
      {at + "rolling_viscosity_n_m_s_per_rad = 1e-07 must be in [1e-06, 1e+15]",
       set(&Elasticity::rolling_viscosity_n_m_s_per_rad, 1e-7)},
      {at + "spinning_viscosity_n_m_s_per_rad = nan must be > 0",
       set(&Elasticity::spinning_viscosity_n_m_s_per_rad, kNan)},
      {"materials[0].material.restitution = 0.5 must be 0 where the elasticity has a normal "
       "stiffness or Young's modulus",
       [](SceneDef& s) { s.materials[0].material.elasticity.normal_stiffness_n_per_m = 1e5; }},
  });
}

TEST(ValidateMaterialTest, WhatElasticSurfacesAskOfTheScene) {
  const auto add = [](const Elasticity& elasticity) {
    return [=](SceneDef& s) {
      s.materials.push_back({"soft", {0.1, 0.0, 0.0, 0.0, elasticity}});
      s.materials.push_back({"spring", {0.1, 0.0, 0.0, 0.0, {1e5}}});
    };
  };
  const auto cold = [](SceneDef& s) { s.settings.solver.warm_start = false; };
  const std::string warm =
      "settings.solver.warm_start = false must be true where a surface has bristles or Young's "
      "modulus: they remember the last impulses";
  SceneDef scene = MakeMaterialScene();
  add({1e4})(scene);
  cold(scene);
  EXPECT_TRUE(ValidateScene(scene).ok()) << ValidateScene(scene);
  // What creeps remembers nothing.
  scene.materials[1].material.elasticity.sliding_viscosity_n_s_per_m = 10.0;
  EXPECT_TRUE(ValidateScene(scene).ok()) << ValidateScene(scene);
  ExpectMaterialsRefused({
      {"materials[2].material.elasticity.normal_stiffness_n_per_m = 1e+05 must be 0 in a scene "
       "where a material has youngs_modulus_pa",
       add({.youngs_modulus_pa = 1e9})},
      {warm,
       [&](SceneDef& s) {
         add({.rolling_stiffness_n_m_per_rad = 1.0})(s);
         cold(s);
       }},
      {warm,
       [&](SceneDef& s) {
         s.material_pairs = {{"stone", "stone", {0.0, 0.0, 0.0, 0.0, {.youngs_modulus_pa = 1e9}}}};
         cold(s);
       }},
  });
}

TEST(ValidateMaterialTest, MaterialPairs) {
  const auto pair = [](const char* a, const char* b, Material material = {0.1, 0.0, 0.0, 0.2}) {
    return [=](SceneDef& s) {
      s.materials.push_back({"ice", {0.1, 0.0, 0.0, 0.0}});
      s.material_pairs = {{"ice", "ice", {}}, {a, b, material}};
    };
  };
  SceneDef scene = MakeMaterialScene();
  pair("ice", "stone")(scene);
  EXPECT_TRUE(ValidateScene(scene).ok()) << ValidateScene(scene);
  ExpectMaterialsRefused({
      {"material_pairs[1].material_a = \"snow\" must name a material of the scene",
       pair("snow", "ice")},
      {"material_pairs[1].material_b = \"\" must name a material of the scene", pair("ice", "")},
      {"material_pairs[1] = \"ice, ice\" must be given once, in either order", pair("ice", "ice")},
      {"material_pairs[2] = \"stone, ice\" must be given once, in either order",
       [&](SceneDef& s) {
         pair("ice", "stone")(s);
         s.material_pairs.push_back({"stone", "ice", {}});
       }},
      {"material_pairs[1].material.sliding_friction = -1 must be >= 0",
       pair("ice", "stone", {-1.0, 0.0, 0.0, 0.0})},
      {"material_pairs[1].material.rolling_friction_m = nan must be >= 0",
       pair("ice", "stone", {0.0, kNan, 0.0, 0.0})},
      {"material_pairs[1].material.spinning_friction_m = inf must be finite",
       pair("ice", "stone", {0.0, 0.0, kInfinity, 0.0})},
      {"material_pairs[1].material.restitution = 2 must be in [0, 1]",
       pair("ice", "stone", {0.0, 0.0, 0.0, 2.0})},
      {"size(material_pairs) = 65537 must be <= 65536",
       [](SceneDef& s) {
         s.material_pairs.resize(65537, {"stone", "stone", {}});
       }},
  });
}

}  // namespace
}  // namespace talus
