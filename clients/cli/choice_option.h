// An option of the command line that takes one of a few names, and stands for their values.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "talus/v1/step_settings.pb.h"

namespace talus::cli {

// CLI11 would list the numbers of the values beside their names.
template <typename Value>
CLI::Option* AddChoice(CLI::App& command, const std::string& name, Value& value,
                       const std::map<std::string, Value>& choices, const std::string& help) {
  std::string names;
  for (const auto& [text, unused] : choices) names += (names.empty() ? "" : ", ") + text;
  return command.add_option_function<std::string>(
      name,
      [&value, &choices, names, name](const std::string& text) {
        const auto found = choices.find(text);
        if (found == choices.end()) {
          throw CLI::ValidationError(name, text + " must be one of " + names);
        }
        value = found->second;
      },
      help + ": " + names);
}

inline const std::map<std::string, v1::ContactLaw> kContactLaws = {
    {"ncp", v1::CONTACT_LAW_NCP},
    {"ccp", v1::CONTACT_LAW_CCP},
    {"box", v1::CONTACT_LAW_BOX},
    {"polygonal", v1::CONTACT_LAW_POLYGONAL},
    {"bristle", v1::CONTACT_LAW_BRISTLE}};

}  // namespace talus::cli
