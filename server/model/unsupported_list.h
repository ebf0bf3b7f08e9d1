// What of a model's file means nothing to a scene: the first elements of the file, and how many
// there are in all. However many a file has, the list stays short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace talus::model {

// Of these more are counted, not told.
inline constexpr size_t kMostUnsupportedTold = 256;

struct UnsupportedElement {
  std::string element;  // as in `joint[elbow].mimic`
  int64_t line = 0;     // in the file, from 1
  std::string effect;   // what comes of it, as in `the joint moves on its own`
};

class UnsupportedList {
 public:
  void Add(UnsupportedElement element) {
    ++count_;
    if (first_.size() == kMostUnsupportedTold) {
      if (element.line >= first_.back().line) return;
      first_.pop_back();
    }
    const auto behind =
        std::ranges::upper_bound(first_, element.line, {}, &UnsupportedElement::line);
    first_.insert(behind, std::move(element));
  }

  // By line, those of one line in the order they were added.
  const std::vector<UnsupportedElement>& first() const { return first_; }
  int64_t count() const { return count_; }

 private:
  std::vector<UnsupportedElement> first_;
  int64_t count_ = 0;
};

}  // namespace talus::model
