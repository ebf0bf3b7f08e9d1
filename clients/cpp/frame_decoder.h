// Frames of any encoding profile as frames of doubles: what came as floats or quantised moves to
// `bodies` and `contacts`, where columns.h reads it.
//
// One decoder reads one stream, in the order the frames came: a frame of the profile QUANTIZED
// refers to the last key frame. Its error bounds stand in frame.proto.
#pragma once

#include <cstdint>
#include <vector>

#include "clients/cpp/result.h"
#include "talus/v1/frame.pb.h"

namespace talus::client {

class FrameDecoder {
 public:
  // Leaves a frame of the profile F64 as it is. kDataLoss: the frame refers to a key frame that was
  // not the last, or its columns do not fit together; it is then left as it came.
  Result<Done> Decode(v1::Frame& frame);

 private:
  Result<std::vector<double>> DecodePositions(const v1::QuantizedBodies& bodies);

  int64_t key_moment_ = -1;
  std::vector<int64_t> key_;  // grid numbers
};

}  // namespace talus::client
