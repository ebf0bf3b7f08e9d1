// From a URDF model and its files to bodies and joints of a scene.
//
// Links that fixed joints connect become one body, which has the name of the topmost of them and
// the axes of its frame; its origin is their common centre of mass, that of a fixed one the frame
// itself. A joint's frames have their x axis along the axis of the URDF joint. The bodies and
// joints have passed solver/scene/validate.h, but for what only the scene can tell: names that are
// taken, materials that are missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "server/model/model_file.h"
#include "server/model/model_options.h"
#include "server/model/urdf_model.h"
#include "solver/scene/body_def.h"
#include "solver/scene/joint_def.h"

namespace talus::model {

// Where a link of the file went.
struct ImportedLink {
  std::string link;
  std::string body;  // empty: the world
  Pose pose_body;    // body <- link
};

// What a joint of the file became; fixed and floating ones become none.
struct ImportedJoint {
  std::string joint;  // in the file
  std::string name;   // in the scene
  int axis = -1;      // which of its axes moves; -1: several
  UrdfLimit limit;    // as in the file; 0 where there is none
};

struct ModelReport {
  std::string robot;
  std::vector<ImportedLink> links;
  std::vector<ImportedJoint> joints;
  UnsupportedList unsupported;
  int64_t stand_in_count = 0;  // shapes that their bounding box stands for
};

struct ImportedModel {
  std::vector<BodyDef> bodies;
  std::vector<JointDef> joints;
  std::vector<std::string> body_links;     // by body: the link in the file it is named after
  std::vector<std::string> joint_origins;  // by joint: the joint in the file it comes from
  ModelReport report;
};

// The field of a failed addition in the words of the file: `bodies[i]` is the link that
// model.bodies[i - first_body] is named after, `joints[i]` the joint. What is neither stays as it
// is.
std::string NameField(std::string_view field, const ImportedModel& model, size_t first_body,
                      size_t first_joint);

// INVALID_ARGUMENT, of the fields `urdf`, `files` and those of the options: as urdf_reader.h,
// link_tree.h and model_file.h, a link that moves without mass, a mesh that cannot be read, what
// solver/scene/validate.h refuses, and under `strict` the first element that is unsupported.
absl::StatusOr<ImportedModel> ImportModel(std::string_view urdf, std::span<const ModelFile> files,
                                          const ModelOptions& options);

}  // namespace talus::model
