// Why no layout fits: a set of clues that clash, none of which can be left out.
#pragma once

#include <cstdint>
#include <span>

#include "errors.hpp"
#include "evidence.hpp"

namespace mineproof {

// For clues that clash whatever the mine total; `seeds` are clues at the place where it showed.
Contradiction explain_clash(const Evidence& evidence, std::span<const std::int32_t> seeds);

// For clues that clash with the mine total only.
Contradiction explain_total_clash(const Evidence& evidence);

}  // namespace mineproof
