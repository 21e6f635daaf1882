// Why no layout fits: a set of clues that clash, none of which can be left out.
#pragma once

#include <cstdint>
#include <span>

#include "counting/evidence.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

// Work that a clash may take, in clues looked at: some seconds.
inline constexpr std::int64_t patience_with_a_clash = 1'500'000;

// For clues that clash whatever the mine total; `seeds` are clues at the place where it showed.
Contradiction explain_clash(const Evidence& evidence, std::span<const std::int32_t> seeds,
                            std::int64_t patience = patience_with_a_clash);

// For clues that clash with the mine total only.
Contradiction explain_total_clash(const Evidence& evidence,
                                  std::int64_t patience = patience_with_a_clash);

}  // namespace mineproof
