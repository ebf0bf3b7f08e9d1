#include "server/runtime/core_turn.h"

namespace talus {

void CoreTurn::Wait() {
  const int64_t number = numbers_++;
  line_.push_back(number);
  while (taken_ || line_.front() != number) changed_.wait(mutex_);
  line_.pop_front();
  taken_ = true;
}

CoreTurn::Hold::Hold(CoreTurn& turn) : turn_(turn) {
  MutexLock lock(turn_.mutex_);
  turn_.Wait();
  begun_ = std::chrono::steady_clock::now();
}

CoreTurn::Hold::~Hold() {
  {
    MutexLock lock(turn_.mutex_);
    turn_.taken_ = false;
  }
  turn_.changed_.notify_all();
}

void CoreTurn::Hold::Share() {
  if (std::chrono::steady_clock::now() - begun_ < turn_.slice_) return;
  MutexLock lock(turn_.mutex_);
  if (!turn_.line_.empty()) {
    turn_.taken_ = false;
    turn_.changed_.notify_all();
    turn_.Wait();
  }
  begun_ = std::chrono::steady_clock::now();
}

}  // namespace talus
