// Proofs: the named clues settle the cell, each clue is needed, and all smallest sets are found.
#include <algorithm>
#include <bit>
#include <set>

#include "posterior/errors.hpp"
#include "proofs/proof.hpp"
#include "tests/brute_force.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

using Cells = std::vector<std::int32_t>;
using Masks = std::vector<std::uint64_t>;  // bit masks over the clues

constexpr Budget ample{.nodes = 10'000'000, .bytes = std::int64_t{1} << 30};
constexpr std::size_t any_number = 100'000;

// The clues that each layout with the cell flipped breaks.
Masks against(const Question& question, const BruteForce& truth, std::int32_t cell, bool mine,
              bool with_total) {
    std::int64_t known = 0;
    Cells unknown;
    for (std::int32_t c = 0; c < question.topology->cells(); ++c) {
        const auto code = question.cells[at(c)];
        if (truth.unknown(code)) unknown.push_back(c);
        known += code == cell::exploded || (code == cell::flagged && question.trust_flags);
    }
    const auto bit = std::find(unknown.begin(), unknown.end(), cell) - unknown.begin();
    std::set<std::uint64_t> masks;
    for (std::size_t layout = 0; layout < truth.broken.size(); ++layout) {
        const bool told = known + std::popcount(layout) == question.prior.mines;
        if ((layout >> bit & 1) == mine || (with_total && !told)) continue;
        masks.insert(truth.broken[layout]);
    }
    return {masks.begin(), masks.end()};
}

bool settles(const Masks& masks, std::uint64_t clues) {
    return std::all_of(masks.begin(), masks.end(),
                       [&](std::uint64_t broken) { return (broken & clues) != 0; });
}

void add_sets(const Masks& masks, const Cells& clue_cells, std::size_t first, std::size_t size,
              std::uint64_t chosen, std::vector<Cells>& found) {
    if (size == 0) {
        if (!settles(masks, chosen)) return;
        Cells clues;
        for (std::size_t i = 0; i < clue_cells.size(); ++i)
            if (chosen >> i & 1) clues.push_back(clue_cells[i]);
        found.push_back(std::move(clues));
        return;
    }
    for (auto i = first; i + size <= clue_cells.size(); ++i)
        add_sets(masks, clue_cells, i + 1, size - 1, chosen | std::uint64_t{1} << i, found);
}

std::vector<Cells> smallest_sets(const Masks& masks, const Cells& clue_cells) {
    std::vector<Cells> found;
    for (std::size_t size = 0; found.empty(); ++size)
        add_sets(masks, clue_cells, 0, size, 0, found);
    std::sort(found.begin(), found.end());
    return found;
}

void check_cell(const Question& question, const BruteForce& truth, Prover& prover,
                std::int32_t cell, bool mine) {
    const auto proof = prover.prove(cell);
    CHECK(proof.smallest && proof.all && proof.irreducible);
    if (!truth.unknown(question.cells[at(cell)])) {
        CHECK(proof.premises == std::vector<Cells>{{}} && !proof.uses_total);
        return;
    }
    const auto everything = ~std::uint64_t{0};
    const bool by_clues = settles(against(question, truth, cell, mine, false), everything);
    CHECK(proof.uses_total == !by_clues);
    const auto masks = against(question, truth, cell, mine, proof.uses_total);
    CHECK(proof.premises == smallest_sets(masks, truth.clue_cells));
}

void all_smallest_sets_are_found() {
    Random random(2024);
    int proofs = 0;
    for (const auto& channel : all_channels())
        for (int i = 0; i < 300; ++i) {
            const auto question = random_question(channel, 9, random);
            const BruteForce truth(question);
            if (truth.weight == 0.0) continue;
            const Posterior posterior(question, ample, Precision::exact_only);
            Prover prover(posterior, any_number);
            for (const auto cell : posterior.safe())
                check_cell(question, truth, prover, cell, false);
            for (const auto cell : posterior.mined())
                check_cell(question, truth, prover, cell, true);
            proofs += static_cast<int>(posterior.safe().size() + posterior.mined().size());
        }
    CHECK(proofs > 3000);
}

// A strip of closed cells next to a strip of clues has more complex proofs.
void strips_too() {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        const int cols = uniform_int(random, 4, 10);
        const auto topology = rectangle(2, cols);
        auto mines = random_mines(*topology, 0.4, random);
        Cells opened;
        for (std::int32_t c = 0; c < cols; ++c) {
            mines[at(c)] = 0;
            if (random.below(6) > 0) opened.push_back(c);
        }
        const auto channel = exact_channel();
        const auto position = seen_position(*topology, mines, *channel, opened, 0);
        Question question{topology, position.cells, {}, channel};
        if (random.below(2) == 0) question.prior = {Prior::Kind::total, laid(position), 0.0};
        for (std::int32_t c = 0; c < cols; ++c)
            if (question.cells[at(c)] == cell::closed) question.cells[at(c)] = cell::known_safe;
        const BruteForce truth(question);
        const Posterior posterior(question, ample, Precision::exact_only);
        Prover prover(posterior, any_number);
        for (const auto cell : posterior.safe())
            check_cell(question, truth, prover, cell, false);
        for (const auto cell : posterior.mined())
            check_cell(question, truth, prover, cell, true);
    }
}

void the_number_of_sets_is_limited() {
    // Any of four clues proves that the cell between them is a mine.
    const auto topology = rectangle(3, 3);
    std::vector<std::int8_t> cells(9, cell::no_clue);
    for (const auto c : {0, 2, 6, 8})
        cells[at(c)] = 1;
    cells[4] = cell::closed;
    const Question question{topology, cells, {}, exact_channel()};
    const Posterior posterior(question, ample, Precision::exact_only);
    const auto all = Prover(posterior, 4).prove(4);
    CHECK(all.all && all.smallest);
    CHECK(all.premises == (std::vector<Cells>{{0}, {2}, {6}, {8}}));
    const auto some = Prover(posterior, 2).prove(4);
    CHECK(!some.all && some.smallest && some.premises.size() == 2);
}

bool settled_by(const Question& question, const Cells& clues, bool with_total, std::int32_t cell,
                bool mine) {
    auto masked = question;
    for (std::size_t c = 0; c < masked.cells.size(); ++c)
        if (masked.cells[c] >= 0 &&
            !std::binary_search(clues.begin(), clues.end(), static_cast<std::int32_t>(c)))
            masked.cells[c] = cell::known_safe;
    if (!with_total) masked.prior = {};
    const Posterior posterior(masked, ample, Precision::exact_only);
    const auto certain = mine ? posterior.mined() : posterior.safe();
    return std::binary_search(certain.begin(), certain.end(), cell);
}

// The cells behind a wall of mines are safe because all mines of the board are known. The proof
// needs too many clues to find the fewest.
void what_is_too_long_to_search_is_shrunk() {
    Random random(3);
    const auto topology = rectangle(24, 24);
    auto mines = random_mines(*topology, 0.12, random);
    Cells opened;
    for (std::int32_t c = 0; c < topology->cells(); ++c) {
        const auto row = c / 24;
        const auto col = c % 24;
        if (row < 6 && col < 6) mines[at(c)] = (row == 3 && col <= 3) || (col == 3 && row <= 3);
        if (!mines[at(c)] && (row >= 3 || col >= 3)) opened.push_back(c);
    }
    const auto channel = exact_channel();
    const auto position = seen_position(*topology, mines, *channel, opened, 0);
    const Question question{
        topology, position.cells, {Prior::Kind::total, laid(position), 0.0}, channel};
    const Posterior posterior(question, ample, Precision::exact_only);
    Prover prover(posterior, 10);
    const auto proof = prover.prove(0);
    CHECK(proof.uses_total && proof.irreducible && !proof.smallest && !proof.all);
    CHECK(proof.premises.size() == 1);
    const auto& clues = proof.premises[0];
    CHECK(settled_by(question, clues, true, 0, false));
    for (const auto left_out : clues) {
        auto fewer = clues;
        std::erase(fewer, left_out);
        CHECK(!settled_by(question, fewer, true, 0, false));
    }
    // The same is true of the other cells behind the wall.
    CHECK(prover.prove(1).premises == proof.premises);
}

void an_estimate_proves_nothing() {
    const auto topology = rectangle(8, 8);
    const auto position = scattered_position(*topology, 0.3, 0.4, 5);
    const Question question{topology, position.cells, {}, exact_channel()};
    const Posterior estimate(question, {.nodes = 0, .bytes = 0}, Precision::may_estimate);
    CHECK(!estimate.exact());
    CHECK_THROWS(Prover(estimate, 1), BudgetExceeded);
}

}  // namespace

SUITE("proofs/proof") {
    all_smallest_sets_are_found();
    strips_too();
    the_number_of_sets_is_limited();
    what_is_too_long_to_search_is_shrunk();
    an_estimate_proves_nothing();
}
