// Runs one transcript: makes its calls, checks what comes back and prints the lines that all
// runners must print alike. Stands on the method table and the field paths. It does not know where
// transcripts come from.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "clients/cpp/client.h"
#include "tests/conformance/cpp/field_path.h"
#include "tests/conformance/cpp/method_table.h"
#include "tests/conformance/transcript.pb.h"

namespace talus::conformance {

struct Tally {
  int exchanges = 0;
  int checks = 0;
  int failed = 0;
};

class ExchangeRunner {
 public:
  ExchangeRunner(client::Client& client, Tally& tally) : client_(client), tally_(tally) {}

  void Run(const v1::Exchange& exchange);

 private:
  // What an exchange came to.
  struct Answer {
    std::string code = "OK";
    std::string reason;  // empty when OK
    Root root;
  };

  Answer Call(const v1::Exchange& exchange);
  Answer ReadStream(const v1::Exchange& exchange, std::unique_ptr<AnyStream> stream);
  void Check(const v1::Expectation& expectation, const Root& root);
  // Empty when the expectation holds; `printed` is what its line shows.
  std::string Judge(const v1::Expectation& expectation, const Root& root, std::string* printed);
  std::string JudgeValue(const v1::Expectation& expectation, const Root& root,
                         std::string* printed);
  const Value& Saved(const std::string& name) const;
  void Fail(const std::string& why);

  client::Client& client_;
  Tally& tally_;
  std::map<std::string, Value> saved_;
  std::map<std::string, std::unique_ptr<AnyStream>> streams_;
};

}  // namespace talus::conformance
