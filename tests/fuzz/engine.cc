// What Clang's engine calls. TALUS_FUZZER names the fuzzer that this run is of.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/message_mutator.h"

namespace {

const talus::fuzz::Fuzzer* chosen = nullptr;

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // Text that is no UTF-8 is told of at every try.
  google::protobuf::SetLogHandler(nullptr);
  const char* name = std::getenv("TALUS_FUZZER");
  if (name != nullptr) chosen = talus::fuzz::FindFuzzer(name);
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "TALUS_FUZZER = `%s` must be one of:", name == nullptr ? "" : name);
  for (const auto& one : talus::fuzz::AllFuzzers()) std::fprintf(stderr, " %s", one.name.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen->feed({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  // Now and then the bytes themselves, so that the text reader sees what is no message too.
  if (chosen->prototype == nullptr || seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string mutated = talus::fuzz::MutateText({reinterpret_cast<const char*>(data), size},
                                                      *chosen->prototype, seed);
  if (mutated.size() > most) return size;
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}
