// One moment of a scene, copied out of the World so that any number of readers can share it without
// a lock.
//
// Immutable once made (FramePtr points to const). The columns have the order and units of
// talus.v1.Frame; a column nobody asked for is empty. The layout is always there and shared between
// frames until the rows change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/stream/frame_encodings.h"
#include "solver/scene/body_def.h"
#include "solver/world/contact_record.h"
#include "solver/world/step_report.h"

namespace talus {

// Row -> body.
struct Layout {
  int64_t version = 0;  // grows with every change of the rows, restoring a snapshot included
  std::vector<uint64_t> body_ids;
  std::vector<std::string> body_names;  // empty when unnamed
  std::vector<BodyKind> body_kinds;
  std::vector<double> sphere_radii_m;  // of the first shape, 0 when that is no sphere
};

// Which columns a frame needs to hold.
struct FrameParts {
  bool positions = false;
  bool orientations = false;
  bool velocities = false;
  bool contacts = false;
  bool report = false;

  bool operator==(const FrameParts&) const = default;
  FrameParts operator|(const FrameParts& other) const {
    return {positions || other.positions, orientations || other.orientations,
            velocities || other.velocities, contacts || other.contacts, report || other.report};
  }
  // Whether a frame with these parts serves somebody who wants `other`.
  bool Covers(const FrameParts& other) const { return (*this | other) == *this; }
};

struct FrameData {
  int64_t moment = 0;  // the scene's count of states; frames of one moment hold the same state
  int64_t step_index = 0;
  double time_s = 0.0;
  uint64_t state_hash = 0;
  FrameParts parts;  // the columns that were filled; there may be more than one reader asked for
  std::shared_ptr<const Layout> layout;
  std::vector<double> positions_world_m;               // 3n
  std::vector<double> orientations_wxyz;               // 4n
  std::vector<double> linear_velocities_world_m_s;     // 3n
  std::vector<double> angular_velocities_world_rad_s;  // 3n
  std::vector<ContactRecord> contacts;
  StepReport report;

  // Encoded forms, made once and shared by the watchers; not part of the moment itself.
  mutable FrameEncodings encodings;

  int64_t layout_version() const { return layout->version; }
  // About what it takes in memory, the layout included and its encodings not: each of these is of
  // the columns' size or below.
  int64_t byte_size() const;
};

using FramePtr = std::shared_ptr<const FrameData>;

}  // namespace talus
