// Optimal play of endings and small boards.
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "board/topology.hpp"
#include "posterior/posterior.hpp"
#include "search/ending.hpp"
#include "search/endings.hpp"
#include "search/small_board.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

constexpr std::int64_t plenty = 1'000'000'000;

void a_set_is_won_as_far_as_its_layouts_can_be_told_apart() {
    constexpr auto mine = Ending::mine;
    // Two layouts, and a cell that is safe in both and shows which one it is.
    const Ending told({0, 1}, 2, {mine, 0, 1, 2});
    EndingSearch search(told, plenty);
    CHECK(search.value() == 2U);
    CHECK(search.best_cell() == std::size_t{1});
    CHECK(search.value_of(0) == 1U);
    // A 50/50.
    const Ending even({0, 1}, 2, {mine, 1, 1, mine});
    CHECK(EndingSearch(even, plenty).value() == 1U);
    CHECK(EndingSearch(even, plenty).best_cell().has_value());
    // No work, no answer.
    CHECK(!EndingSearch(told, 0).value());
    CHECK(!EndingSearch(told, 0).best_cell());
}

void small_boards_have_known_values() {
    const auto four = Topology::rectangle(4, 4);
    SmallBoard board(four, 4, Start::any, 0, plenty);
    CHECK(board.layouts() == 1820);
    CHECK(board.value_of(1, 0) == 961U);
    CHECK(*board.value_of(0, 961) < 961);
    CHECK(!SmallBoard(four, 4, Start::any, 0, 1000).value_of(1, 0));
    CHECK_THROWS(SmallBoard(four, 16, Start::safe, 0, plenty), std::invalid_argument);
    CHECK_THROWS(SmallBoard(Topology::rectangle(9, 9), 1, Start::any, 0, plenty),
                 std::invalid_argument);
}

Posterior seen(int rows, int cols, std::string_view text, std::int64_t mines) {
    std::vector<std::int8_t> cells;
    for (const char symbol : text)
        cells.push_back(symbol == '.'   ? cell::closed
                        : symbol == '?' ? cell::no_clue
                                        : static_cast<std::int8_t>(symbol - '0'));
    auto topology = std::make_shared<const Topology>(Topology::rectangle(rows, cols));
    return {{std::move(topology),
             std::move(cells),
             {Prior::Kind::total, mines, 0.0},
             std::make_shared<const Channel>(),
             false},
            Budget{},
            Precision::exact_only};
}

void parts_are_solved_apart() {
    // Two 50/50s, and two cells that share the last mine with nobody.
    const auto posterior = seen(2, 9, "..??..?..11??11?..", 3);
    const auto endings = find_endings(posterior, 100);
    CHECK(endings.complete);
    CHECK(endings.isolated.size() == 2);
    for (const auto& ending : endings.isolated)
        CHECK(solve(ending, plenty)->win() == 0.5);
    CHECK(endings.joint.has_value());
    CHECK(endings.joint->layouts() == 4);
    // A clue connects two parts even if nobody has seen it yet.
    const auto one = find_endings(seen(2, 5, ".....11?11", 2), 100);
    CHECK(one.isolated.size() == 1);
    CHECK(one.isolated.front().layouts() == 4);
    // Too many layouts.
    CHECK(!find_endings(seen(2, 9, "..................", 3), 100).complete);
}

}  // namespace

SUITE("search/ending") {
    a_set_is_won_as_far_as_its_layouts_can_be_told_apart();
    small_boards_have_known_values();
    parts_are_solved_apart();
}
