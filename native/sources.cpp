#include "sources.hpp"

namespace mineproof {

const char* const sources = MINEPROOF_SOURCES;

}  // namespace mineproof
