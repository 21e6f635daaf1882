// Which sources the module was built from.
#pragma once

namespace mineproof {

// The first digits of a digest over names and contents.
extern const char* const sources;

}  // namespace mineproof
