// Boards that need no guess are solved from their first cell with the technique asked for.
#include <algorithm>
#include <array>

#include "board/measures.hpp"
#include "reasoning/no_guess.hpp"
#include "reasoning/reasoner.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr std::int64_t steps = 20'000;
constexpr std::array asked{Technique::counting, Technique::subset, Technique::cases,
                           Technique::total};

void boards_are_solved_with_the_technique_they_need() {
    const auto topology = rectangle(9, 11);
    const std::int32_t first = 3 * 11 + 3;
    for (const auto start : {Start::safe, Start::zero})
        for (const auto technique : asked)
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                const auto found =
                    find_no_guess(topology, 22, start, first, technique, true, seed, steps);
                CHECK(found.has_value());
                if (!found) continue;
                CHECK(found->technique == technique);
                CHECK(std::ranges::count(found->mines, 1) == 22);
                const auto safe = protected_cells(*topology, found->mines, start, first);
                Reasoner reasoner(topology, {});
                reasoner.begin(found->mines, safe);
                const auto simpler = static_cast<Technique>(static_cast<int>(technique) - 1);
                CHECK(simpler == Technique::given || !reasoner.solve(simpler));
                CHECK(reasoner.solve(technique));
                Game game(topology, found->mines, *exact_channel(), seed, {}, safe);
                CHECK(needs_no_guess(game, first));
            }
}

void a_board_that_needs_no_guess_stays_as_it_was_laid() {
    const auto topology = rectangle(9, 9);
    int kept = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto mines = lay_mines(*topology, 10, seed, Start::zero, 30);
        Game game(topology, mines, *exact_channel(), seed, {}, {});
        const bool solved = needs_no_guess(game, 30);
        const auto found =
            find_no_guess(topology, 10, Start::zero, 30, Technique::total, false, seed, steps);
        CHECK(found.has_value() && (found->mines == mines) == solved);
        kept += solved;
    }
    CHECK(0 < kept && kept < 30);
}

void a_search_ends() {
    CHECK(!find_no_guess(rectangle(9, 9), 1, Start::zero, 30, Technique::total, true, 1, 100));
    const auto full =
        find_no_guess(rectangle(4, 4), 15, Start::zero, 5, Technique::total, false, 1, 100);
    CHECK(full && full->technique == Technique::given);
}

void a_crowded_board_is_solved() {
    CHECK(find_no_guess(rectangle(20, 20), 120, Start::safe, 0, Technique::total, false, 3, steps));
}

// Opens the zeros first, then what they did not show.
void the_measure_is_the_number_of_openings_needed() {
    const auto topology = rectangle(16, 30);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto mines = lay_mines(*topology, 99, seed, Start::any, -1);
        const auto [openings, islands, bbbv] = measure(*topology, mines);
        Game game(topology, mines, *exact_channel(), seed, {}, {});
        int opened = 0;
        for (const bool zeros : {true, false}) {
            for (std::int32_t cell = 0; cell < topology->cells(); ++cell) {
                if (mines[at(cell)] || !cell::is_closed(game.code_at(cell))) continue;
                if (zeros && true_count(*topology, mines, cell) != 0) continue;
                game.open(cell);
                ++opened;
            }
            CHECK(opened == (zeros ? openings : bbbv));
        }
        CHECK(openings + islands <= bbbv);
    }
}

}  // namespace

SUITE("reasoning/no_guess") {
    boards_are_solved_with_the_technique_they_need();
    a_board_that_needs_no_guess_stays_as_it_was_laid();
    a_search_ends();
    a_crowded_board_is_solved();
    the_measure_is_the_number_of_openings_needed();
}
