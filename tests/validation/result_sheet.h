// What validation writes down: one row a claim, with where it comes from, what came out, what
// should, and how far off it may be. A row passes when |value − expected| ≤ tolerance.
#pragma once

#include <string>
#include <vector>

namespace talus::validation {

struct Result {
  std::string id;
  std::string source;  // paper and section, or the law
  double value = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;
  std::string unit;

  bool pass() const;
};

class ResultSheet {
 public:
  void Add(Result result) { results_.push_back(std::move(result)); }
  const std::vector<Result>& results() const { return results_; }

  // [{"id", "source", "value", "expected", "tolerance", "unit", "pass"}]
  std::string ToJson() const;
  std::string ToTable() const;
  int failure_count() const;

 private:
  std::vector<Result> results_;
};

}  // namespace talus::validation
