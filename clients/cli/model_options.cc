#include "clients/cli/model_options.h"

#include <charconv>
#include <functional>
#include <map>
#include <system_error>

#include "clients/cli/choice_option.h"

namespace talus::cli {
namespace {

const std::map<std::string, v1::ModelBase> kBases = {{"free", v1::MODEL_BASE_FREE},
                                                     {"fixed", v1::MODEL_BASE_FIXED}};
const std::map<std::string, v1::ShapeStandIn> kStandIns = {
    {"bounding_box", v1::SHAPE_STAND_IN_BOUNDING_BOX}};

}  // namespace

std::vector<CLI::Option*> AddModelOptions(CLI::App& command, ModelOptions& options) {
  v1::ModelOptions& message = options.message;
  const auto add_text = [&command](const char* name, std::string* value, const char* help) {
    return command.add_option_function<std::string>(
        name, [value](const std::string& text) { *value = text; }, help);
  };
  const auto add_flag = [&command](const char* name, const std::function<void()>& set,
                                   const char* help) {
    return command.add_flag_callback(name, set, help);
  };
  return {
      add_text("--model-name", message.mutable_name(),
               "Prefix of its bodies and joints, as in NAME.link [none]"),
      command.add_option("--position", options.position, "X,Y,Z of its root link, metres [0,0,0]")
          ->delimiter(',')
          ->expected(3),
      command
          .add_option("--orientation", options.orientation,
                      "W,X,Y,Z: quaternion of its root link [1,0,0,0]")
          ->delimiter(',')
          ->expected(4),
      AddChoice(command, "--base", options.base, kBases,
                "What holds its root [fixed where it is called world]"),
      AddChoice(command, "--stand-in", options.stand_in, kStandIns,
                "What stands for cylinders and meshes [nothing; they are listed]"),
      add_text("--material", message.mutable_material(),
               "Material of its shapes, one of the scene [no friction]"),
      add_flag(
          "--motors", [&message] { message.set_motors(true); },
          "A motor at each joint that holds it at rest"),
      add_flag(
          "--strict", [&message] { message.set_strict(true); }, "What is unsupported is an error"),
      command
          .add_option("--joint", options.joints,
                      "NAME=POSITION: where a joint starts, rad or m; any number of times")
          ->allow_extra_args(false)};
}

std::string CompleteModelOptions(ModelOptions& options) {
  v1::ModelOptions& message = options.message;
  message.set_base(options.base);
  message.set_stand_in(options.stand_in);
  if (!options.position.empty()) {
    v1::Vector3& position = *message.mutable_position_world_m();
    position.set_x(options.position[0]);
    position.set_y(options.position[1]);
    position.set_z(options.position[2]);
  }
  if (!options.orientation.empty()) {
    v1::Quaternion& orientation = *message.mutable_orientation_world();
    orientation.set_w(options.orientation[0]);
    orientation.set_x(options.orientation[1]);
    orientation.set_y(options.orientation[2]);
    orientation.set_z(options.orientation[3]);
  }
  for (const std::string& given : options.joints) {
    const size_t sign = given.rfind('=');
    double position = 0.0;
    const char* begin = given.data() + (sign == std::string::npos ? 0 : sign + 1);
    const char* end = given.data() + given.size();
    const auto read = std::from_chars(begin, end, position);
    if (sign == std::string::npos || sign == 0 || read.ec != std::errc() || read.ptr != end) {
      return "--joint " + given + " must be NAME=POSITION, as in elbow=0.5";
    }
    v1::JointPosition& joint = *message.add_joint_positions();
    joint.set_joint(given.substr(0, sign));
    joint.set_position(position);
  }
  return "";
}

}  // namespace talus::cli
