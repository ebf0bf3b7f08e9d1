// How the links of a URDF model hang together: one tree, from a root down its joints.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "server/model/urdf_model.h"

namespace talus::model {

inline constexpr size_t kNoJoint = static_cast<size_t>(-1);

struct LinkTree {
  std::vector<size_t> order;         // links, parents before their children, the root first
  std::vector<size_t> parent_link;   // by link; that of the root is the root
  std::vector<size_t> parent_joint;  // by link; kNoJoint at the root
};

// INVALID_ARGUMENT: no link, a name that is taken, a joint to a link that is not there, a link with
// two parents, more than one root, a ring of links.
absl::StatusOr<LinkTree> FindLinkTree(const UrdfModel& model);

}  // namespace talus::model
