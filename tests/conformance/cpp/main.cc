// The C++ conformance runner: `conformance_cpp --server ADDR FILE...`; the README beside the
// transcripts says the rest.
#include <google/protobuf/text_format.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/conformance/cpp/exchange_runner.h"
#include "tests/conformance/cpp/fatal.h"

int main(int argc, char** argv) {
  using namespace talus::conformance;
  if (argc < 4 || std::strcmp(argv[1], "--server") != 0) {
    Fatal("usage: conformance_cpp --server ADDR FILE...");
  }
  talus::client::Client client(argv[2]);
  Tally tally;
  for (int i = 3; i < argc; ++i) {
    std::ifstream file(argv[i]);
    if (!file) Fatal(std::string("cannot open ") + argv[i]);
    std::ostringstream text;
    text << file.rdbuf();
    talus::conformance::v1::Transcript transcript;
    if (!google::protobuf::TextFormat::ParseFromString(text.str(), &transcript)) {
      Fatal(std::string(argv[i]) + " is no transcript");
    }
    std::printf("transcript %s\n", std::filesystem::path(argv[i]).stem().c_str());
    ExchangeRunner runner(client, tally);
    for (const auto& exchange : transcript.exchanges()) runner.Run(exchange);
  }
  std::printf("exchanges %d checks %d failed %d\n", tally.exchanges, tally.checks, tally.failed);
  return tally.failed == 0 ? 0 : 1;
}
