// Contradictions are found if and only if no layout fits, and the named clues clash.
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/brute_force.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr int disturbed_boards = 700;

using Masks = std::vector<std::uint64_t>;

std::optional<Contradiction> clash_of(const Question& question) {
    try {
        const Posterior posterior(question, {}, Precision::exact_only);
        return std::nullopt;
    } catch (const Contradiction& contradiction) {
        return contradiction;
    }
}

// Clues clash if every layout breaks one of them.
bool clash(const Masks& broken, std::uint64_t clues) {
    return std::ranges::all_of(broken, [&](std::uint64_t mask) { return (mask & clues) != 0; });
}

// All clues connected to these by unknown cells.
std::uint64_t component_of(const Question& question, const BruteForce& truth, std::uint64_t clues) {
    for (std::uint64_t before = 0; before != clues;) {
        before = clues;
        for (std::size_t i = 0; i < truth.clue_cells.size(); ++i) {
            if (!(clues >> i & 1)) continue;
            for (const auto c : question.topology->neighbours(truth.clue_cells[i])) {
                if (!truth.unknown(question.cells[at(c)])) continue;
                for (std::size_t j = 0; j < truth.clue_cells.size(); ++j) {
                    const auto around = question.topology->neighbours(truth.clue_cells[j]);
                    if (std::ranges::find(around, c) != around.end())
                        clues |= std::uint64_t{1} << j;
                }
            }
        }
    }
    return clues;
}

bool some_smaller_clash(const Masks& broken, std::uint64_t among, int size) {
    for (std::uint64_t set = among;; set = (set - 1) & among) {
        if (std::popcount(set) < size && clash(broken, set)) return true;
        if (set == 0) return false;
    }
}

void check_clash(const Question& question, const Contradiction& found, const BruteForce& truth) {
    const auto everything = (std::uint64_t{1} << truth.clue_cells.size()) - 1;
    CHECK(found.total == !clash(truth.broken, everything));
    const auto& broken = found.total ? truth.told_broken : truth.broken;
    std::uint64_t named = 0;
    for (const auto clue : found.clues) {
        const auto place = std::ranges::find(truth.clue_cells, clue);
        CHECK(place != truth.clue_cells.end());
        if (place == truth.clue_cells.end()) return;
        named |= std::uint64_t{1} << (place - truth.clue_cells.begin());
    }
    CHECK(std::ranges::is_sorted(found.clues));
    CHECK(std::popcount(named) == static_cast<int>(found.clues.size()));
    CHECK(clash(broken, named));
    for (auto rest = named; rest != 0; rest &= rest - 1)
        CHECK(!clash(broken, named & ~(rest & (~rest + 1))));
    constexpr int affordable = 10;
    const auto among = found.total ? everything : component_of(question, truth, named);
    if (std::popcount(among) <= affordable)
        CHECK(!some_smaller_clash(broken, among, std::popcount(named)));
}

void clashes_are_found_and_named() {
    Random random(1);
    int clashes = 0;
    int totals = 0;
    for (const auto& channel : all_channels())
        for (int i = 0; i < disturbed_boards; ++i) {
            auto question = random_question(channel, 9, random);
            disturb(question, random);
            const BruteForce truth(question);
            const auto found = clash_of(question);
            CHECK(found.has_value() == (truth.weight == 0.0));
            if (!found || truth.weight > 0.0) continue;
            ++clashes;
            totals += found->total;
            check_clash(question, *found, truth);
        }
    CHECK(clashes > disturbed_boards / 2 && totals > disturbed_boards / 10);
}

Question told(int rows, int cols, std::vector<std::int8_t> cells, std::int64_t mines) {
    return {rectangle(rows, cols),
            std::move(cells),
            {Prior::Kind::total, mines, 0.0},
            exact_channel(),
            false};
}

void clashes_by_hand() {
    constexpr auto x = cell::closed;
    // One clue asks for more than its neighbours hold.
    const auto one = clash_of(told(1, 3, {2, x, 0}, 1));
    CHECK(one && !one->total && one->clues.size() == 1);
    // Two clues around the same cells disagree.
    const auto two = clash_of(told(1, 3, {0, x, 1}, 1));
    CHECK(two && !two->total && (two->clues == std::vector<std::int32_t>{0, 2}));
    // The clues need two mines, the total is three, and no cell is left for the third.
    const auto three = clash_of(told(1, 5, {1, x, 0, x, 1}, 3));
    CHECK(three && !three->total);
    const auto four = clash_of(told(1, 5, {x, 2, x, 1, 0}, 3));
    CHECK(four && four->total && four->clues.empty());
    // Distant clues clash with the total only together.
    const auto five = clash_of(told(1, 7, {x, 1, x, 0, x, 1, x}, 1));
    CHECK(five && five->total && (five->clues == std::vector<std::int32_t>{1, 5}));
}

// One wrong clue on a large board is found from the clues around it.
void a_clash_on_a_large_board() {
    const auto topology = rectangle(60, 60);
    auto position = scattered_position(*topology, 0.15, 0.6, 5);
    const auto mines = std::count(position.mines.begin(), position.mines.end(), 1);
    const auto wrong = std::ranges::find(position.cells, std::int8_t{2});
    *wrong = 7;
    const Question question{
        topology, position.cells, {Prior::Kind::total, mines, 0.0}, exact_channel(), false};
    const auto found = clash_of(question);
    CHECK(found && !found->total && found->clues.size() < 10);
    if (!found) return;
    const auto cell = static_cast<std::int32_t>(wrong - position.cells.begin());
    CHECK(std::ranges::find(found->clues, cell) != found->clues.end());
}

// The known total is far too small, and there are many clues.
void a_total_clash_on_a_large_board() {
    const auto topology = rectangle(16, 16);
    const auto position = scattered_position(*topology, 0.2, 0.5, 6);
    const auto found =
        clash_of({topology, position.cells, {Prior::Kind::total, 3, 0.0}, exact_channel(), false});
    CHECK(found && found->total && !found->clues.empty());
}

// With totals from far too small to far too large, what is called irreducible is irreducible.
void total_clashes_are_irreducible() {
    const auto topology = rectangle(40, 40);
    const auto position = scattered_position(*topology, 0.2, 0.3, 7);
    const auto mines = std::count(position.mines.begin(), position.mines.end(), 1);
    for (const double share : {0.3, 0.7, 2.5}) {
        const auto total = static_cast<std::int64_t>(share * static_cast<double>(mines));
        Question question{
            topology, position.cells, {Prior::Kind::total, total, 0.0}, exact_channel(), false};
        const auto found = clash_of(question);
        CHECK(found && found->total && found->irreducible);
        if (!found) continue;
        for (auto& code : question.cells)
            if (code >= 0) code = cell::no_clue;
        for (const auto clue : found->clues)
            question.cells[at(clue)] = position.cells[at(clue)];
        CHECK(clash_of(question).has_value());
        for (std::size_t i = 0; i < found->clues.size(); i += 7) {
            auto without = question;
            without.cells[at(found->clues[i])] = cell::no_clue;
            CHECK(!clash_of(without).has_value());
        }
    }
}

}  // namespace

SUITE("posterior/clash") {
    clashes_are_found_and_named();
    clashes_by_hand();
    a_clash_on_a_large_board();
    a_total_clash_on_a_large_board();
    total_clashes_are_irreducible();
}
