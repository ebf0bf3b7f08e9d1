#include "tests/bench/service/trip_times.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace talus::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Long enough that going over from one to the other (cold caches, sleeping threads) is a small part
// of a block, short enough that both see every mood of the machine.
constexpr int64_t kBlock = 1000;
constexpr int64_t kWarmUp = 300;

absl::Status MakeBlock(RoundTrip& trip, int64_t count, TripTimes* times) {
  const Clock::time_point start = Clock::now();
  Clock::time_point before = start;
  for (int64_t k = 0; k < count; ++k) {
    absl::Status made = trip.Make();
    if (!made.ok()) return made;
    const Clock::time_point after = Clock::now();
    if (times != nullptr) {
      times->Add(std::chrono::duration<double, std::micro>(after - before).count());
    }
    before = after;
  }
  if (times != nullptr) times->AddBusy(std::chrono::duration<double>(before - start).count());
  return absl::OkStatus();
}

}  // namespace

double TripTimes::FindQuantile(double share) const {
  if (us_.empty()) return 0.0;
  std::vector<float> sorted = us_;
  const auto rank = static_cast<int64_t>(std::ceil(share * static_cast<double>(count()))) - 1;
  const auto place = sorted.begin() + std::clamp<int64_t>(rank, 0, count() - 1);
  std::nth_element(sorted.begin(), place, sorted.end());
  return *place;
}

double TripTimes::rate_per_s() const {
  return busy_s_ > 0.0 ? static_cast<double>(count()) / busy_s_ : 0.0;
}

absl::Status MeasureInTurn(RoundTrip& floor, RoundTrip& trip, const Effort& effort,
                           TripTimes& floor_times, TripTimes& trip_times) {
  const int64_t warm_up = effort.count > 0 ? std::min(kWarmUp, effort.count) : kWarmUp;
  absl::Status status = MakeBlock(floor, warm_up, nullptr);
  if (status.ok()) status = MakeBlock(trip, warm_up, nullptr);
  const Clock::time_point start = Clock::now();
  while (status.ok()) {
    const int64_t left = effort.count - trip_times.count();
    if (effort.count > 0 ? left <= 0 : SecondsSince(start) >= effort.seconds) break;
    const int64_t block = effort.count > 0 ? std::min(kBlock, left) : kBlock;
    status = MakeBlock(floor, block, &floor_times);
    if (status.ok()) status = MakeBlock(trip, block, &trip_times);
  }
  if (status.ok()) status = floor.Check();
  if (status.ok()) status = trip.Check();
  return status;
}

}  // namespace talus::bench
