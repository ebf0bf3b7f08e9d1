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
  // A key frame as it was decoded: rows that did not change are as here.
  struct Key {
    int64_t moment = -1;
    std::vector<int64_t> grid;  // 3 grid numbers a row
    std::vector<double> positions;
    std::vector<double> orientations;
  };

  static Result<Key> DecodeKey(const v1::QuantizedBodies& bodies);
  // The poses of a frame that refers to the key frame; its grid stays empty.
  Result<Key> DecodeChanges(const v1::QuantizedBodies& bodies) const;

  Key key_;
};

}  // namespace talus::client
