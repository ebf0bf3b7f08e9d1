#include "solver/problem_io/hdf5_session.h"

#include <hdf5.h>

#include <type_traits>

namespace talus {
namespace {

static_assert(std::is_same_v<hid_t, int64_t> && std::is_same_v<herr_t, int>);

Mutex& LibraryMutex() {
  static Mutex mutex;
  return mutex;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(LibraryMutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Hdf5Session::~Hdf5Session() { H5Eclear2(H5E_DEFAULT); }

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this == &other) return *this;
  Reset();
  id_ = other.id_;
  close_ = other.close_;
  other.id_ = -1;
  return *this;
}

void Hdf5Handle::Reset() {
  if (ok()) close_(id_);
  id_ = -1;
}

}  // namespace talus
