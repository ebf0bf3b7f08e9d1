// What came of all calls: how often each RPC ended with which code, how long it took, and what
// should never have happened. Thread-safe.
#pragma once

#include <grpcpp/grpcpp.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solver/base/mutex.h"

namespace talus::chaos {

class CallTally {
 public:
  void Count(const std::string& rpc, grpc::StatusCode code, double ms);
  // Something that proves harm. The first hundred are kept in words and told at once.
  void Blame(const std::string& what);

  int64_t call_count() const;
  int64_t blame_count() const;
  // Names of RPCs of talus.v1 that were never called.
  std::vector<std::string> FindUncalled() const;
  // Calls by outcome, and the times; of many lines.
  std::string ToTable() const;

 private:
  // Times in steps of about 9 %: bucket k holds those from 2^(k/8) microseconds on.
  static constexpr int kBuckets = 256;
  double FindQuantile(double share) const TALUS_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, std::map<int, int64_t>> codes_ TALUS_GUARDED_BY(mutex_);
  std::array<int64_t, kBuckets> times_ TALUS_GUARDED_BY(mutex_){};
  int64_t calls_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t blames_ TALUS_GUARDED_BY(mutex_) = 0;
};

}  // namespace talus::chaos
