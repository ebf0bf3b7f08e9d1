// The chance of one turn of one client: what is drawn in a turn depends on seed, client and turn
// alone, so that the same seed gives the same plan however the server answered before.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace talus::chaos {

class Dice {
 public:
  Dice(uint64_t seed, int client, int64_t turn)
      : engine_(
            Mix(Mix(seed) ^ (static_cast<uint64_t>(client) << 32) ^ static_cast<uint64_t>(turn))) {}

  // In [low, high]. Not std::uniform_int_distribution: libraries differ in what that draws.
  int64_t Draw(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  double Draw01() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  bool Once(int of) { return Draw(1, of) == 1; }
  std::string DrawBytes(int64_t count) {
    std::string bytes(static_cast<size_t>(count), '\0');
    for (char& byte : bytes) byte = static_cast<char>(engine_());
    return bytes;
  }

 private:
  static uint64_t Mix(uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
  }

  std::mt19937_64 engine_;
};

}  // namespace talus::chaos
