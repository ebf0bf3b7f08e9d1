#include "server/stream/frame.h"

namespace talus {

int64_t FrameData::byte_size() const {
  const size_t numbers = positions_world_m.size() + orientations_wxyz.size() +
                         linear_velocities_world_m_s.size() +
                         angular_velocities_world_rad_s.size() + report.residual_history.size();
  // Long names stand outside of their strings; few have them.
  constexpr size_t kBytesPerRow =
      sizeof(uint64_t) + sizeof(std::string) + sizeof(BodyKind) + sizeof(double);
  return static_cast<int64_t>(sizeof(FrameData) + numbers * sizeof(double) +
                              contacts.size() * sizeof(ContactRecord) +
                              layout->body_ids.size() * kBytesPerRow);
}

}  // namespace talus
