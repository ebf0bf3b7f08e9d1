#include "server/model/link_tree.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::model {
namespace {

using LinkNames = std::map<std::string_view, size_t>;

absl::StatusOr<LinkNames> FindNames(const UrdfModel& model) {
  LinkNames links;
  for (size_t link = 0; link < model.links.size(); ++link) {
    const UrdfLink& it = model.links[link];
    if (links.emplace(it.name, link).second) continue;
    return FieldError("urdf.link.name", FormatValue(std::string_view(it.name)),
                      "must be given once" + AtLine(it.line));
  }
  std::set<std::string_view> joints;
  for (const UrdfJoint& joint : model.joints) {
    if (joints.insert(joint.name).second) continue;
    return FieldError("urdf.joint.name", FormatValue(std::string_view(joint.name)),
                      "must be given once" + AtLine(joint.line));
  }
  return links;
}

// The link at one end of a joint.
absl::StatusOr<size_t> FindEnd(const LinkNames& links, const UrdfJoint& joint, const char* end,
                               std::string_view name) {
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  return FieldError("urdf.joint[" + joint.name + "]." + end + ".link", FormatValue(name),
                    "must be the name of a link" + AtLine(joint.line));
}

absl::Status ConnectLinks(const UrdfModel& model, const LinkNames& links, LinkTree& tree,
                          std::vector<std::vector<size_t>>& children) {
  for (size_t joint = 0; joint < model.joints.size(); ++joint) {
    const UrdfJoint& it = model.joints[joint];
    TALUS_ASSIGN_OR_RETURN(const size_t parent, FindEnd(links, it, "parent", it.parent));
    TALUS_ASSIGN_OR_RETURN(const size_t child, FindEnd(links, it, "child", it.child));
    if (tree.parent_joint[child] != kNoJoint) {
      return FieldError("urdf.joint[" + it.name + "].child.link",
                        FormatValue(std::string_view(it.child)),
                        "must be the child of one joint alone" + AtLine(it.line));
    }
    tree.parent_joint[child] = joint;
    tree.parent_link[child] = parent;
    children[parent].push_back(child);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LinkTree> FindLinkTree(const UrdfModel& model) {
  const size_t count = model.links.size();
  if (count == 0) return FieldError("urdf.link", "none", "must be at least one");
  TALUS_ASSIGN_OR_RETURN(const LinkNames links, FindNames(model));
  LinkTree tree;
  tree.parent_joint.assign(count, kNoJoint);
  tree.parent_link.assign(count, 0);
  std::vector<std::vector<size_t>> children(count);
  TALUS_RETURN_IF_ERROR(ConnectLinks(model, links, tree, children));
  for (size_t link = 0; link < count; ++link) {
    if (tree.parent_joint[link] != kNoJoint) continue;
    if (tree.order.empty()) {
      tree.order.push_back(link);
      tree.parent_link[link] = link;
      continue;
    }
    return FieldError("urdf.link[" + model.links[link].name + "]", "no child of a joint",
                      "must hang on " +
                          FormatValue(std::string_view(model.links[tree.order[0]].name)) +
                          ", the root" + AtLine(model.links[link].line));
  }
  // Every link but the root has one parent, so what is not reached is a ring.
  tree.order.reserve(count);
  for (size_t next = 0; next < tree.order.size(); ++next) {
    const std::vector<size_t>& below = children[tree.order[next]];
    tree.order.insert(tree.order.end(), below.begin(), below.end());
  }
  if (tree.order.size() == count) return tree;
  return FieldError("urdf.joint", "a ring of links", "must make a tree of all links");
}

}  // namespace talus::model
