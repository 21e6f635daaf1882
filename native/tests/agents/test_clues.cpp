// Clues that are read move by move are those of the position read at once.
#include <algorithm>
#include <set>
#include <vector>

#include "agents/clues.hpp"
#include "board/generate.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

std::vector<std::int32_t> members(const CellSet& cells) {
    std::vector<std::int32_t> result;
    cells.for_each([&](std::int32_t cell) { result.push_back(cell); });
    return result;
}

void check_same(const Clues& one, const Clues& other) {
    CHECK(std::ranges::equal(one.codes(), other.codes()));
    CHECK(members(one.all()) == members(other.all()));
    CHECK(members(one.openable()) == members(other.openable()));
    CHECK(members(one.known_safe()) == members(other.known_safe()));
    CHECK(members(one.flagged()) == members(other.flagged()));
    CHECK(one.hits() == other.hits());
    one.all().for_each([&](std::int32_t clue) {
        CHECK(one.mines(clue) == other.mines(clue));
        CHECK(one.unknown(clue) == other.unknown(clue));
        CHECK(one.settles(clue) == other.settles(clue));
    });
}

// Counts from the codes alone.
void check_true(const Clues& clues) {
    const auto& topology = clues.topology();
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        int mines = 0;
        int unknown = 0;
        for (const auto near : topology.neighbours(cell)) {
            const auto code = clues.codes()[at(near)];
            mines += code == cell::flagged || code == cell::exploded;
            unknown += code == cell::closed;
        }
        const bool speaks = cell::is_clue(clues.codes()[at(cell)]) && unknown > 0;
        CHECK(clues.all().contains(cell) == speaks);
        if (!speaks) continue;
        CHECK(clues.mines(cell) == mines);
        CHECK(clues.unknown(cell) == unknown);
        const int left = clues.shown(cell) - mines;
        CHECK(clues.settles(cell) == (left == unknown || left == 0));
    }
}

void clues_follow_a_game() {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const auto topology = any_board(random, 8, 12);
        const auto cells = topology->cells();
        const auto mines = static_cast<std::int64_t>(random.below(at(cells / 4 + 1)));
        const auto laid = lay_mines(*topology, mines, seed, Start::any, -1);
        Game game(topology, laid, {}, seed, {.keep_going = true}, given_safe(laid, 2, seed));
        Question question{topology, {}, {}, exact_channel()};
        Clues followed;
        while (game.status() == Status::playing) {
            question.cells.assign(game.cells().begin(), game.cells().end());
            followed.read(question);
            Clues fresh;
            fresh.read(question);
            check_same(followed, fresh);
            check_true(followed);
            const auto cell = static_cast<std::int32_t>(random.below(at(cells)));
            const auto code = game.code_at(cell);
            if (code == cell::flagged)
                game.unflag(cell);
            else if (code == cell::closed && random.below(3) == 0)
                game.flag(cell);
            else if (cell::is_closed(code))
                game.open(cell);
        }
    }
}

void sets_are_sets() {
    Random random(1);
    for (const std::int32_t size : {1, 63, 64, 65, 300}) {
        CellSet set;
        set.reset(at(size));
        std::set<std::int32_t> expected;
        for (int i = 0; i < 500; ++i) {
            const auto cell = static_cast<std::int32_t>(random.below(at(size)));
            const bool member = random.below(2) == 0;
            set.set(cell, member);
            if (member)
                expected.insert(cell);
            else
                expected.erase(cell);
            CHECK(set.contains(cell) == member);
            CHECK(members(set) == std::vector(expected.begin(), expected.end()));
            CHECK(set.size() == static_cast<std::int32_t>(expected.size()));
            CHECK(set.first() == (expected.empty() ? -1 : *expected.begin()));
            for (std::int32_t n = 0; n < set.size(); n += 7)
                CHECK(set.nth(n) == *std::next(expected.begin(), n));
            CHECK(
                set.find([&](std::int32_t one) { return one >= cell; }) ==
                (expected.lower_bound(cell) == expected.end() ? -1 : *expected.lower_bound(cell)));
        }
    }
}

}  // namespace

SUITE("agents/clues") {
    sets_are_sets();
    clues_follow_a_game();
}
