// The contacts of a step as they were told, for a world that was restored since: a snapshot holds
// what the next step needs, and not these.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/base/ids.h"
#include "solver/state/body_store.h"
#include "solver/world/contact_record.h"

namespace talus {

// Contact records as bytes that DecodeRecords of the same program reads: no form to be kept.
std::string EncodeRecords(std::span<const ContactRecord> contacts);
// INVALID_ARGUMENT: not such bytes, or a row that is none of `body_count`.
absl::StatusOr<std::vector<ContactRecord>> DecodeRecords(std::string_view bytes, size_t body_count);

class ToldContacts {
 public:
  // `ids`: those of the rows in `contacts`.
  ToldContacts(std::vector<ContactRecord> contacts, std::span<const BodyId> ids)
      : contacts_(std::move(contacts)), ids_(ids.begin(), ids.end()) {}

  // With the rows the bodies have now; contacts of bodies that are gone are left out.
  std::vector<ContactRecord> Tell(const BodyStore& bodies) const;

 private:
  std::vector<ContactRecord> contacts_;
  std::vector<BodyId> ids_;
};

}  // namespace talus
