// Chains of influence: premises are open before they settle a cell, no smaller set or shorter chain
// exists, and searches are repeatable.
#include <algorithm>
#include <memory>
#include <vector>

#include "board/generate.hpp"
#include "chains/chains.hpp"
#include "chains/search.hpp"
#include "proofs/proof.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

std::int32_t largest(const std::vector<std::int32_t>& ranks,
                     const std::vector<std::int32_t>& cells) {
    std::int32_t result = -1;
    for (const auto cell : cells)
        result = std::max(result, ranks[at(cell)]);
    return result;
}

// Of all smallest sets of clues, the prover with ranks finds one whose largest rank is smallest.
void ranks_choose_among_the_smallest_sets() {
    const auto topology = rectangle(7, 7);
    std::vector<std::int32_t> ranks(at(topology->cells()));
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto mines = lay_mines(*topology, 9, seed, Start::zero, 24);
        Random random(seed);
        for (auto& rank : ranks)
            rank = static_cast<std::int32_t>(random.below(6));
        Game game(topology, mines, *exact_channel(), seed, {}, {});
        game.open(24);
        const Posterior posterior({topology,
                                   {game.cells().begin(), game.cells().end()},
                                   {Prior::Kind::total, 9, 0.0},
                                   exact_channel()},
                                  {}, Precision::exact_only);
        Prover all(posterior, 100'000);
        Prover ranked(posterior, 1, ranks);
        auto cells = posterior.safe();
        std::ranges::copy(posterior.mined(), std::back_inserter(cells));
        for (const auto cell : cells) {
            const auto sets = all.prove(cell);
            const auto proof = ranked.prove(cell);
            CHECK(sets.all);
            CHECK(proof.all && proof.premises.size() == 1);
            CHECK(proof.uses_total == sets.uses_total);
            CHECK(std::ranges::count(sets.premises, proof.premises.front()) == 1);
            for (const auto& set : sets.premises)
                CHECK(largest(ranks, proof.premises.front()) <= largest(ranks, set));
        }
    }
}

void every_link_follows_from_open_clues() {
    const auto topology = rectangle(8, 9);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const int count = static_cast<int>(seed % 3) * 6 + 4;
        const auto mines = lay_mines(*topology, count, seed, Start::safe, 0);
        Game game(topology, mines, *exact_channel(), seed, {.cascade = seed % 2 == 0}, {});
        const auto chains = solve(game, 0, exact_channel(), {});
        CHECK(game.status() == Status::won);
        CHECK(chains.links().size() == at(topology->cells()));
        std::vector<std::int32_t> lengths(at(topology->cells()), -1);
        for (const auto& link : chains.links()) {
            CHECK(lengths[at(link.cell)] == -1);
            CHECK(link.mine == (mines[at(link.cell)] != 0));
            for (const auto premise : link.premises)
                CHECK(lengths[at(premise)] >= 0 && !mines[at(premise)]);
            CHECK(link.length == largest(lengths, link.premises) + 1);
            CHECK(link.origin == Origin::settled || link.premises.empty());
            lengths[at(link.cell)] = link.length;
        }
        CHECK(std::ranges::equal(lengths, chains.lengths()));
        CHECK(chains.links().front().origin == Origin::first);
    }
}

void a_game_needs_no_guess_where_its_chains_have_one_root() {
    const auto topology = rectangle(7, 7);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto mines = lay_mines(*topology, 8, seed, Start::zero, 24);
        Game game(topology, mines, *exact_channel(), seed, {}, {});
        Game again(topology, mines, *exact_channel(), seed, {}, {});
        const auto chains = solve(game, 24, exact_channel(), {});
        const auto guesses = std::ranges::count(chains.links(), Origin::guess, &Link::origin);
        CHECK(needs_no_guess(again, 24) == (guesses == 0));
    }
}

// The longest chain of a game that is solved, by these premises.
int longest_by(Game game, std::int32_t first, Premises premises) {
    Chains chains(game.topology(), true);
    std::vector<std::int32_t> cells{first};
    while (true) {
        open(game, cells);
        chains.open(cells, game.cells());
        const auto posterior = posterior_of(game, exact_channel(), {});
        chains.settle(posterior, premises);
        cells = posterior.safe();
        if (cells.empty()) return *std::ranges::max_element(chains.lengths());
    }
}

void no_chain_is_longer_than_that_of_the_deepest_premises() {
    const auto topology = rectangle(9, 9);
    int shorter = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto mines = lay_mines(*topology, 12, seed, Start::zero, 30);
        const Game game(topology, mines, *exact_channel(), seed, {}, {});
        const int longest = longest_by(game, 30, Premises::smallest);
        const int most = longest_by(game, 30, Premises::deepest);
        CHECK(longest <= most);
        shorter += longest < most;
    }
    CHECK(0 < shorter && shorter < 100);
}

void a_search_repeats_however_it_is_cut() {
    const auto topology = rectangle(6, 6);
    ChainSearch whole(topology, 6, Start::zero, 14, 300, 5);
    ChainSearch parts(topology, 6, Start::zero, 14, 300, 5);
    whole.advance(1'000);
    for (int part = 0; part < 50; ++part)
        parts.advance(7);
    CHECK(whole.evaluated() == 300 && parts.evaluated() == 300);
    CHECK(whole.best() && parts.best());
    CHECK(whole.best()->mines == parts.best()->mines);
    CHECK(whole.best()->longest == parts.best()->longest);
    CHECK(std::ranges::count(whole.best()->mines, 1) == 6);
}

void a_search_with_nothing_to_move_ends() {
    const auto topology = rectangle(1, 3);
    for (const int mines : {0, 2}) {
        ChainSearch search(topology, mines, Start::safe, 0, 10, 1);
        search.advance(10);
        CHECK(search.evaluated() == 10);
        CHECK(search.best().has_value());
    }
}

}  // namespace

SUITE("chains/chains") {
    ranks_choose_among_the_smallest_sets();
    every_link_follows_from_open_clues();
    a_game_needs_no_guess_where_its_chains_have_one_root();
    no_chain_is_longer_than_that_of_the_deepest_premises();
    a_search_repeats_however_it_is_cut();
    a_search_with_nothing_to_move_ends();
}
