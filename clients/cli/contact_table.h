// The contacts of a frame as CSV: one line a contact, bodies by id and name, the wrench that body b
// receives. Read by spreadsheets and scripts, so columns keep their order and name their unit.
#pragma once

#include <string>

#include "talus/v1/frame.pb.h"

namespace talus::cli {

// Numbers are printed so that they read back to the same bits. `layout` must be that of the frame.
std::string ContactTable(const v1::Frame& frame, const v1::Layout& layout);

// Its first line.
extern const char kContactHeader[];
// Its other lines, each behind `prefix`.
void AppendContactLines(const v1::Frame& frame, const v1::Layout& layout, const std::string& prefix,
                        std::string* lines);

// A cell of text, in quotes where it needs them. Names from a server never do; those of a file that
// somebody made may.
std::string QuoteCell(const std::string& text);

}  // namespace talus::cli
