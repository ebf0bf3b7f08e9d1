// One turn in the HDF5 library, and the handles it gives out. The packaged serial build keeps state
// without a lock and prints every error it meets, some as late as when the process ends: a session
// holds the one mutex of the process, and from the first one on the library is silent. A thread
// that has a session must not ask for a second one.
#pragma once

#include <cstdint>
#include <mutex>

#include "solver/base/mutex.h"

namespace talus {

class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::unique_lock<Mutex> lock_;
};

// A handle of the library (its hid_t), closed at the end of its scope; negative where what made it
// failed.
class Hdf5Handle {
 public:
  using Close = int (*)(int64_t id);

  Hdf5Handle() = default;
  Hdf5Handle(int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() { Reset(); }

  bool ok() const { return id_ >= 0; }
  int64_t id() const { return id_; }
  void Reset();

 private:
  int64_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace talus
