// The recorded moments of a scene, one after the other: what the messages of one frame say
// together, cut down to the time, the frames and the bodies that were chosen. It knows the topics
// of a recording and nothing of the formats it is exported to.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clients/cli/export/recording_reader.h"
#include "talus/v1/frame.pb.h"

namespace talus::cli {

struct MomentChoice {
  int64_t every = 1;  // every so many recorded moments, counted from the first one in the time
  double from_s = -std::numeric_limits<double>::infinity();  // simulated time, both included
  double to_s = std::numeric_limits<double>::infinity();
  std::vector<std::string> bodies;  // names or ids; empty: all
};

struct Moment {
  int64_t step_index = 0;
  double time_s = 0;
  uint64_t state_hash = 0;
  const v1::Layout* layout = nullptr;  // valid until the next call
  std::vector<int> rows;               // of the layout: the bodies chosen
  std::optional<v1::Frame> bodies;     // columns of `rows`, in their order
  // Those of which either body was chosen; their rows are rows of the layout.
  std::optional<v1::Frame> contacts;
  std::optional<v1::StepReport> report;
};

class MomentReader {
 public:
  MomentReader(RecordingReader& recording, MomentChoice choice);

  // False at the end. kDataLoss: the recording is damaged there; the moments before it are good.
  client::Result<bool> Next(Moment* moment);
  // Bodies that were chosen and never seen; complete at the end.
  std::vector<std::string> FindUnseenBodies() const;

 private:
  client::Result<bool> ReadWhole(Moment* moment);
  client::Result<bool> Add(const RecordedMessage& message, Moment* moment);
  client::Result<bool> Check(const Moment& moment) const;
  void ChooseBodies(Moment* moment);

  RecordingReader& recording_;
  MomentChoice choice_;
  v1::Layout layout_;
  std::optional<RecordedMessage> waiting_;  // the first message of the next moment
  std::set<std::string> seen_;
  int last_rank_ = 0;  // of the topics in a whole moment
  int64_t count_ = 0;
};

}  // namespace talus::cli
