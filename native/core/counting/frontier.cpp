#include "counting/frontier.hpp"

#include <algorithm>
#include <cassert>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

std::vector<std::int32_t> clues_of(const Evidence& evidence) {
    std::vector<std::int32_t> clues;
    clues.reserve(evidence.cells.size() / 2);
    for (std::int32_t cell = 0; cell < std::ssize(evidence.cells); ++cell)
        if (evidence.counts_as_clue(cell)) clues.push_back(cell);
    return clues;
}

}  // namespace

Frontier::Frontier(const Evidence& evidence)
    : Frontier(evidence, KnownCells(evidence), clues_of(evidence)) {}

Frontier::Frontier(const Evidence& evidence, KnownCells known_cells,
                   std::span<const std::int32_t> clues) {
    assert(std::ranges::is_sorted(clues));
    Settler settler(evidence, std::move(known_cells));
    const auto& known = settler.known();
    Work work;
    // Step 1.1. Settle what single clues imply.
    for (const auto clue : clues) {
        work.add(1);
        if (!settler.add(clue)) clash_.assign(1, clue);
    }
    if (clash_.empty()) {
        const auto wrong = settler.run([&](std::int32_t cell, Knowledge knowledge) {
            work.add(1);
            (knowledge == Knowledge::mined ? mined_ : safe_).push_back(cell);
        });
        if (wrong) clash_.assign(1, *wrong);
    }
    // Steps 1.2 to 1.4. Form components from the clues that still inform.
    if (clash_.empty()) {
        ComponentBuilder builder(evidence.topology);
        for (const auto clue : clues)
            if (const auto reading = settler.read(clue); settler.reader().informs(reading))
                builder.clues().push_back(settler.reader().clue_of(reading));
        if (const auto clash = builder.build(settler.knowledge(), components_))
            clash_.assign(clash->begin(), clash->end());
    }
    interior_ = known.unknown - std::ssize(components_.cells);
    known_mines_ = known.mined;
    knowledge_ = std::move(settler.knowledge());
}

}  // namespace mineproof
