// The endings of a position: the parts that can be played apart, with their layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "posterior/posterior.hpp"
#include "search/ending.hpp"

namespace mineproof {

struct Endings {
    // Parts whose number of mines is fixed and whose clues, present and future, say nothing about
    // any other cell. Whatever happens elsewhere, they are won with the same chance.
    std::vector<Ending> isolated;
    // Everything else, if it has few enough layouts.
    std::optional<Ending> joint;
    bool complete = false;  // nothing else is uncertain
};

// Each ending has at most `most` layouts. There are none under noisy clues.
Endings find_endings(const Posterior& posterior, std::size_t most);

// Optimal play of an ending.
struct Solved {
    std::uint32_t won;  // layouts that optimal play wins
    std::uint32_t layouts;
    std::int32_t cell;  // that optimal play opens

    double win() const { return won / static_cast<double>(layouts); }
};

// Nothing if the work does not suffice.
std::optional<Solved> solve(const Ending& ending, std::int64_t work);

}  // namespace mineproof
