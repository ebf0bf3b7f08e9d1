#include "tests/system/chaos/call_tally.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "clients/cpp/stubs.h"

namespace talus::chaos {
namespace {

constexpr int64_t kMostWords = 100;

}  // namespace

void CallTally::Count(const std::string& rpc, grpc::StatusCode code, double ms) {
  const double bucket = 8.0 * std::log2(std::max(1.0, ms * 1000.0));
  MutexLock lock(mutex_);
  ++calls_;
  ++codes_[rpc][code];
  ++times_[static_cast<size_t>(std::min<double>(bucket, kBuckets - 1))];
}

void CallTally::Blame(const std::string& what) {
  MutexLock lock(mutex_);
  if (++blames_ <= kMostWords) std::fprintf(stderr, "chaos: HARM: %s\n", what.c_str());
}

int64_t CallTally::call_count() const {
  MutexLock lock(mutex_);
  return calls_;
}

int64_t CallTally::blame_count() const {
  MutexLock lock(mutex_);
  return blames_;
}

std::vector<std::string> CallTally::FindUncalled() const {
  const google::protobuf::FileDescriptor* const files[] = {
      v1::CreateSceneRequest::descriptor()->file(),
      v1::StepRequest::descriptor()->file(),
      v1::GetStateRequest::descriptor()->file(),
      v1::WatchStateRequest::descriptor()->file(),
      v1::CreateSnapshotRequest::descriptor()->file(),
      v1::StartRecordingRequest::descriptor()->file(),
      v1::SolveContactProblemRequest::descriptor()->file(),
      v1::GetServerInfoRequest::descriptor()->file()};
  std::vector<std::string> uncalled;
  MutexLock lock(mutex_);
  for (const google::protobuf::FileDescriptor* file : files) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const std::string& name = file->service(s)->method(m)->name();
        if (codes_.find(name) == codes_.end()) uncalled.push_back(name);
      }
    }
  }
  return uncalled;
}

double CallTally::FindQuantile(double share) const {
  int64_t left = static_cast<int64_t>(share * static_cast<double>(calls_));
  for (int k = 0; k < kBuckets; ++k) {
    left -= times_[static_cast<size_t>(k)];
    if (left < 0) return std::exp2((k + 1) / 8.0) / 1000.0;
  }
  return 0.0;
}

std::string CallTally::ToTable() const {
  std::string text;
  std::array<char, 160> line{};
  std::map<int, int64_t> sums;
  MutexLock lock(mutex_);
  for (const auto& [rpc, codes] : codes_) {
    std::snprintf(line.data(), line.size(), "  %-26s", rpc.c_str());
    text += line.data();
    for (const auto& [code, count] : codes) {
      text += ' ' + std::string(CodeName(static_cast<client::Code>(code))) + ' ' +
              std::to_string(count);
      sums[code] += count;
    }
    text += '\n';
  }
  text += "  all                       ";
  for (const auto& [code, count] : sums) {
    text +=
        ' ' + std::string(CodeName(static_cast<client::Code>(code))) + ' ' + std::to_string(count);
  }
  std::snprintf(line.data(), line.size(), "\n  %lld calls, p50 %.2f ms, p99 %.2f ms\n",
                static_cast<long long>(calls_), FindQuantile(0.5), FindQuantile(0.99));
  return text + line.data();
}

}  // namespace talus::chaos
