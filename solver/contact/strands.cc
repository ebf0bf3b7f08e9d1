#include "solver/contact/strands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kStrandChunk = 1024;
// Slabs are cut at the borders of bins, so many from one end to the other.
constexpr size_t kBins = 512;
// A slab is as many mean distances of touching bodies wide: equal spheres, at most two of these
// apart, reach no further than the next slab, and an eighth of the contacts cross the borders of
// pairs of slabs.
constexpr double kWidth = 4.0;
// Where there are few contacts strands are shorter, down to this, so that there are some strands
// for several workers; they leave more lanes empty.
constexpr size_t kFewestContacts = kOneStrandContacts / 2;
constexpr size_t kShares = 6;
// Contacts that are looked at to find where to cut: enough for that, few beside a sweep.
constexpr size_t kSample = 4096;

using Counts = std::array<uint32_t, kBins>;

// Where the dynamic bodies of some contacts are, and how far apart two that touch, along each axis.
struct Spread {
  Vec3 lowest = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 highest = Vec3::Constant(-std::numeric_limits<double>::infinity());
  Vec3 distance = Vec3::Zero();  // sum
  size_t pairs = 0;

  void Add(const Vec3& position) {
    lowest = lowest.cwiseMin(position);
    highest = highest.cwiseMax(position);
  }
};

class BodyPlaces {
 public:
  BodyPlaces(std::span<const Vec3> positions, std::span<const double> inverse_masses)
      : positions_(positions), inverse_masses_(inverse_masses) {}

  bool IsDynamic(uint32_t row) const { return inverse_masses_[row] > 0.0; }
  const Vec3& Position(uint32_t row) const { return positions_[row]; }

  void Add(const ContactInput& contact, Spread& spread) const {
    const bool a = IsDynamic(contact.body_a);
    const bool b = IsDynamic(contact.body_b);
    if (a) spread.Add(Position(contact.body_a));
    if (b) spread.Add(Position(contact.body_b));
    if (!a || !b) return;
    spread.distance += (Position(contact.body_a) - Position(contact.body_b)).cwiseAbs();
    ++spread.pairs;
  }

 private:
  std::span<const Vec3> positions_;
  std::span<const double> inverse_masses_;
};

// Bins along an axis, and how many a slab takes at least.
class Axis {
 public:
  Axis(const Spread& spread, int axis) : axis_(axis), lowest_(spread.lowest[axis]) {
    const double extent = spread.highest[axis] - lowest_;
    bins_per_m_ = extent > 0.0 ? static_cast<double>(kBins) / extent : 0.0;
    if (spread.pairs == 0) return;
    const double mean = spread.distance[axis] / static_cast<double>(spread.pairs);
    slab_bins_ = std::max(1.0, kWidth * mean * bins_per_m_);
  }

  uint32_t BinOf(const Vec3& position) const {
    // In this order, what is not a number is in bin 0.
    const double bin = std::max(0.0, (position[axis_] - lowest_) * bins_per_m_);
    return static_cast<uint32_t>(std::min(bin, static_cast<double>(kBins - 1)));
  }

  // Cuts into slabs of as many contacts, where those are wide enough. Returns how many; at most
  // `wanted`.
  uint32_t Cut(std::span<const uint32_t> counts, size_t wanted,
               std::span<uint16_t> slab_of_bin) const {
    if (wanted <= 1) {
      std::ranges::fill(slab_of_bin, uint16_t{0});
      return 1;
    }
    size_t all = 0;
    for (const uint32_t count : counts) all += count;
    const size_t share = (all + wanted - 1) / wanted;
    uint16_t slab = 0;
    size_t first_bin = 0;
    size_t held = 0;
    for (size_t bin = 0; bin < kBins; ++bin) {
      const bool wide = static_cast<double>(bin - first_bin) >= slab_bins_;
      const bool room = static_cast<double>(kBins - bin) >= slab_bins_;
      if (held >= share && wide && room) {
        ++slab;
        first_bin = bin;
        held = 0;
      }
      slab_of_bin[bin] = slab;
      held += counts[bin];
    }
    return slab + uint32_t{1};
  }

 private:
  int axis_;
  double lowest_;
  double bins_per_m_;  // 0: all are in one plane
  double slab_bins_ = 1.0;
};

// What two slabs make of a contact between them: it lies in a pair (0, 1), (2, 3), ..., or crosses
// from one pair to the next, or neither.
struct Place {
  enum Group : uint32_t { kWithin, kAcross, kApart };
  Group group;
  uint32_t pair;  // 0 for kApart
};

Place PlaceOf(uint32_t slab_a, uint32_t slab_b) {
  const uint32_t lower = std::min(slab_a, slab_b);
  const uint32_t distance = std::max(slab_a, slab_b) - lower;
  if (distance > 1) return {Place::kApart, 0};
  return {distance == 1 && lower % 2 == 1 ? Place::kAcross : Place::kWithin, lower / 2};
}

// Every so many of the contacts.
class Sample {
 public:
  explicit Sample(std::span<const ContactInput> contacts)
      : contacts_(contacts), stride_(contacts.size() / kSample + 1) {}

  size_t stride() const { return stride_; }
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (size_t i = 0; i < contacts_.size(); i += stride_) visit(contacts_[i]);
  }

 private:
  std::span<const ContactInput> contacts_;
  size_t stride_;
};

// How the contacts of one problem are divided: lists between columns, strands between rows.
class Division {
 public:
  // `share`: contacts that a strand aims at.
  Division(const BodyPlaces& places, const Spread& spread, size_t share,
           const StrandScratch& scratch)
      : places_(places),
        share_(share),
        scratch_(scratch),
        column_axis_(spread, Longest(spread, -1)),
        row_axis_(spread, Longest(spread, Longest(spread, -1))) {}

  void CutColumns(const Sample& sample, size_t wanted) {
    Counts counts{};
    sample.ForEach([&](const ContactInput& contact) {
      const uint32_t mover = places_.IsDynamic(contact.body_a) ? contact.body_a : contact.body_b;
      ++counts[column_axis_.BinOf(places_.Position(mover))];
    });
    const uint32_t columns = column_axis_.Cut(counts, wanted, column_of_bin_);
    pairs_ = columns / 2 + 1;
  }

  // Each body's column and row bin.
  void PlaceBodies(WorkerArena& workers, std::span<const Vec3> positions) {
    ResizeBuffer(scratch_.cells, positions.size());
    ParallelFor(workers, positions.size(), kStrandChunk, [&](size_t row) {
      const uint32_t column = column_of_bin_[column_axis_.BinOf(positions[row])];
      scratch_.cells[row] = column << 16 | row_axis_.BinOf(positions[row]);
    });
  }

  // Cuts what is too long between columns a second time.
  void CutRows(const Sample& sample) {
    std::vector<uint32_t>& counts = scratch_.numbers;
    ResizeBuffer(counts, list_count() * kBins);
    std::ranges::fill(counts, 0);
    sample.ForEach([&](const ContactInput& contact) {
      const auto [a, b] = CellsOf(contact);
      ++counts[ListOf(a, b) * kBins + (a & 0xffff)];
    });
    ResizeBuffer(scratch_.row_of_bin, list_count() * kBins);
    uint32_t most_rows = 1;
    for (size_t list = 0; list < list_count(); ++list) {
      const std::span of_list = std::span(counts).subspan(list * kBins, kBins);
      size_t all = 0;
      for (const uint32_t count : of_list) all += count * sample.stride();
      const size_t wanted = all > share_ + share_ / 2 ? 2 * (all / share_ + 1) : 1;
      const std::span rows = std::span(scratch_.row_of_bin).subspan(list * kBins, kBins);
      most_rows = std::max(most_rows, row_axis_.Cut(of_list, wanted, rows));
    }
    row_pairs_ = most_rows / 2 + 1;
  }

  // Numbers of strands, phase after phase; many are empty.
  size_t number_count() const { return 3 * kGroups * phase_size(); }
  size_t phase_size() const { return size_t{pairs_} * row_pairs_; }
  size_t NumberOf(const ContactInput& contact) const {
    const auto [a, b] = CellsOf(contact);
    const Place column = PlaceOf(a >> 16, b >> 16);
    const uint16_t* const rows = &scratch_.row_of_bin[ListOf(a, b) * kBins];
    const Place row = PlaceOf(rows[a & 0xffff], rows[b & 0xffff]);
    return (column.group * kGroups + row.group) * phase_size() + size_t{column.pair} * row_pairs_ +
           row.pair;
  }

 private:
  static constexpr size_t kGroups = 3;

  static int Longest(const Spread& spread, int except) {
    Vec3 extent = spread.highest - spread.lowest;
    if (except >= 0) extent[except] = -1.0;
    int axis = 0;
    extent.maxCoeff(&axis);
    return axis;
  }

  struct Cells {
    uint32_t a, b;
  };
  // Prescribed bodies are where the other is.
  Cells CellsOf(const ContactInput& contact) const {
    const uint32_t a = scratch_.cells[contact.body_a];
    const uint32_t b = scratch_.cells[contact.body_b];
    if (!places_.IsDynamic(contact.body_a)) return {b, b};
    return {a, places_.IsDynamic(contact.body_b) ? b : a};
  }
  size_t list_count() const { return kGroups * pairs_; }
  size_t ListOf(uint32_t a, uint32_t b) const {
    const Place place = PlaceOf(a >> 16, b >> 16);
    return place.group * size_t{pairs_} + place.pair;
  }

  const BodyPlaces& places_;
  size_t share_;
  const StrandScratch& scratch_;
  Axis column_axis_, row_axis_;
  std::array<uint16_t, kBins> column_of_bin_;
  uint32_t pairs_ = 1;      // of columns
  uint32_t row_pairs_ = 1;  // most of a list
};

// Counts, sums up and fills in: contacts sorted by strand, empty strands and phases left out.
void SortContacts(WorkerArena& workers, std::span<const ContactInput> contacts,
                  const Division& division, std::vector<uint32_t>& numbers, Strands& strands) {
  ResizeBuffer(numbers, contacts.size());
  ParallelFor(workers, contacts.size(), kStrandChunk, [&](size_t i) {
    numbers[i] = static_cast<uint32_t>(division.NumberOf(contacts[i]));
  });
  std::vector<uint32_t>& begin = strands.begin;
  ResizeBuffer(begin, division.number_count() + 1);
  std::ranges::fill(begin, 0);
  for (const uint32_t number : numbers) ++begin[number + 1];
  for (size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
  ResizeBuffer(strands.contacts, contacts.size());
  for (size_t i = 0; i < contacts.size(); ++i) {
    strands.contacts[begin[numbers[i]]++] = static_cast<uint32_t>(i);
  }
  // Each entry is now the end of its strand; those of strands that are not empty move together.
  strands.phase_begin.assign(1, 0);
  uint32_t end = 0;
  uint32_t count = 0;
  for (size_t s = 0; s < division.number_count(); ++s) {
    if (begin[s] > end) begin[count++] = end = begin[s];
    const bool phase_ends = (s + 1) % division.phase_size() == 0;
    if (phase_ends && count > strands.phase_begin.back()) strands.phase_begin.push_back(count);
  }
  std::move_backward(begin.begin(), begin.begin() + count, begin.begin() + count + 1);
  begin[0] = 0;
  begin.resize(count + 1);
}

void MakeOneStrand(size_t contact_count, Strands& strands) {
  ResizeBuffer(strands.contacts, contact_count);
  for (size_t i = 0; i < contact_count; ++i) strands.contacts[i] = static_cast<uint32_t>(i);
  strands.begin.assign(1, 0);
  strands.phase_begin.assign(1, 0);
  if (contact_count == 0) return;
  strands.begin.push_back(static_cast<uint32_t>(contact_count));
  strands.phase_begin.push_back(1);
}

}  // namespace

void FindStrands(WorkerArena& workers, std::span<const Vec3> positions,
                 std::span<const double> inverse_masses, std::span<const ContactInput> contacts,
                 const StrandScratch& scratch, Strands& strands) {
  if (contacts.size() <= kOneStrandContacts) return MakeOneStrand(contacts.size(), strands);
  const BodyPlaces places(positions, inverse_masses);
  const Sample sample(contacts);
  Spread spread;
  sample.ForEach([&](const ContactInput& contact) { places.Add(contact, spread); });
  const size_t share = std::clamp(contacts.size() / kShares, kFewestContacts, kStrandContacts);
  Division division(places, spread, share, scratch);
  division.CutColumns(sample, 2 * (contacts.size() / share + 1));
  division.PlaceBodies(workers, positions);
  division.CutRows(sample);
  SortContacts(workers, contacts, division, scratch.numbers, strands);
}

}  // namespace talus
