// Why no layout fits: a set of clues that clash, each of which is needed.
#pragma once

#include <cstdint>
#include <span>

#include "counting/components.hpp"
#include "counting/evidence.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

// How many clues to examine at most while explaining a clash. This takes some seconds.
inline constexpr std::int64_t clash_work_limit = 1'500'000;

// For clues that clash without the mine total. `seeds` are clues where the clash was found.
Contradiction explain_clash(const Evidence& evidence, std::span<const std::int32_t> seeds,
                            std::int64_t work_limit = clash_work_limit);
// For a component that no layout fits.
Contradiction explain_clash(const Evidence& evidence, const Component& component);

// For clues that clash only with the mine total.
Contradiction explain_total_clash(const Evidence& evidence,
                                  std::int64_t work_limit = clash_work_limit);

}  // namespace mineproof
