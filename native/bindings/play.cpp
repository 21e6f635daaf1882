// Whole games, played natively.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/game.hpp"
#include "board/generate.hpp"
#include "play/bulk.hpp"
#include "play/champion.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

using GuardedGame = Guarded<Game>;
// A player and its clones, one per thread that plays. They stay, because they remember what they
// have counted.
using Team = std::vector<std::unique_ptr<Player>>;
using GuardedPlayer = Guarded<Team>;

struct BoundExactPlayer : GuardedPlayer {
    using GuardedPlayer::GuardedPlayer;
};

void init_exact_player(BoundExactPlayer* self, const nb::int_& nodes, const nb::int_& bytes,
                       bool short_chains) {
    const auto preference = short_chains ? Preference::short_chain : Preference::first;
    Team team;
    team.push_back(std::make_unique<ExactPlayer>(to_budget(nodes, bytes), preference));
    new (self) BoundExactPlayer(std::move(team));
}

struct BoundChampionPlayer : GuardedPlayer {
    using GuardedPlayer::GuardedPlayer;
};

void init_champion_player(BoundChampionPlayer* self, const nb::int_& nodes, const nb::int_& bytes,
                          const nb::int_& candidates, const nb::int_& inside, double least_safety,
                          double second, double certainty, const nb::int_& ending_layouts,
                          const nb::int_& ending_work, const nb::int_& boards) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto number = [](const char* name, const nb::int_& value) {
        return static_cast<std::size_t>(to_number(name, value, 0, most));
    };
    const Strength strength{
        {number("candidates", candidates), least_safety, number("inside", inside)},
        {second, certainty},
        number("ending_layouts", ending_layouts),
        to_number("ending_work", ending_work, 0),
        number("boards", boards)};
    Team team;
    team.push_back(std::make_unique<ChampionPlayer>(to_budget(nodes, bytes), strength));
    new (self) BoundChampionPlayer(std::move(team));
}

// One decision: its actions as (kind, cell, certain, risk), and its reason.
auto decide(GuardedPlayer& player, std::shared_ptr<Topology> topology, const Codes& cells,
            const std::optional<nb::int_>& mines, std::shared_ptr<Channel> channel) {
    Question question{std::move(topology), {}, to_prior(mines), std::move(channel), false};
    question.cells = to_codes("cells", cells, *question.topology);
    const auto decision =
        player.use_without_gil([&](Team& team) { return team.front()->decide(question); });
    std::vector<std::tuple<int, int, bool, double>> actions;
    for (const auto& action : decision.actions)
        actions.emplace_back(static_cast<int>(action.move.kind), action.move.cell, action.certain,
                             action.risk);
    return std::tuple{std::move(actions), static_cast<int>(decision.reason)};
}

Playthrough play_game(GuardedGame& game, GuardedPlayer& player,
                      const std::optional<nb::int_>& mines, std::shared_ptr<Channel> channel,
                      const nb::int_& seed) {
    const auto prior = to_prior(mines);
    const auto word = to_word("seed", seed);
    return game.use_both_without_gil(player, [&](Game& board, Team& team) {
        return play_out(board, *team.front(), prior, std::move(channel), word);
    });
}

using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// One row per game, with the members of a summary.
auto play_games(GuardedPlayer& player, std::shared_ptr<Topology> topology, const nb::int_& mines,
                Start start, bool keep_going, bool cascade, std::optional<double> arrival,
                const nb::int_& given_safe, std::shared_ptr<Channel> channel,
                const std::optional<nb::int_>& told_mines, std::shared_ptr<Channel> assumed,
                const Words& seeds, const Places& firsts, const nb::int_& threads) {
    if (arrival && !(*arrival >= 0 && *arrival <= 1))
        throw std::invalid_argument("arrival: must be from 0 to 1");
    const auto cells = topology->cells();
    const auto least_first = start == Start::any ? -1 : 0;
    const Conditions conditions{topology,
                                to_number("mines", mines, 0, most_mines(*topology, start)),
                                start,
                                {keep_going, cascade, arrival},
                                to_number("given_safe", given_safe, 0, cells),
                                std::move(channel),
                                to_prior(told_mines),
                                std::move(assumed)};
    const auto players = static_cast<std::size_t>(to_number("threads", threads, 1, most_threads));
    if (seeds.size() != firsts.size())
        throw std::invalid_argument("firsts: " + std::to_string(firsts.size()) +
                                    " cells, expected " + std::to_string(seeds.size()));
    std::vector<Seed> games;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const auto first = firsts.data()[i];
        if (first < least_first || first >= cells)
            throw std::invalid_argument("firsts: " + std::to_string(first) + " is not from " +
                                        std::to_string(least_first) + " to " +
                                        std::to_string(cells - 1));
        games.push_back({seeds.data()[i], first});
    }
    auto summaries = player.use_without_gil([&](Team& team) {
        while (team.size() < players)
            team.push_back(team.front()->clone());
        return play_seeds(conditions, std::span(team).first(players), games);
    });
    std::vector<std::int32_t> result;
    for (const auto& s : summaries)
        result.insert(result.end(), {s.status, s.hits, s.opened, s.steps, s.actions, s.guesses,
                                     s.certain, s.identified, s.wrong_flags});
    return to_numpy(std::move(result));
}

auto moves_of(const Playthrough& played) {
    std::vector<std::tuple<int, int, int, bool, double, int, int, int>> result;
    for (const auto& [step, action, reason, opened, hits] : played.moves)
        result.emplace_back(step, static_cast<int>(action.move.kind), action.move.cell,
                            action.certain, action.risk, static_cast<int>(reason), opened, hits);
    return result;
}

}  // namespace

void bind_play(nb::module_& m) {
    nb::class_<GuardedPlayer>(m, "Player")
        .def(
            "begin",
            [](GuardedPlayer& player, const nb::int_& seed) {
                const auto word = to_word("seed", seed);
                player.use([&](Team& team) { team.front()->begin(word); });
            },
            "seed"_a)
        .def("decide", &decide, "topology"_a, "cells"_a, "mines"_a.none(), "channel"_a);
    nb::class_<BoundExactPlayer, GuardedPlayer>(m, "ExactPlayer")
        .def("__init__", &init_exact_player, "nodes"_a, "bytes"_a, "short_chains"_a);
    nb::class_<BoundChampionPlayer, GuardedPlayer>(m, "ChampionPlayer")
        .def("__init__", &init_champion_player, "nodes"_a, "bytes"_a, "candidates"_a, "inside"_a,
             "least_safety"_a, "second"_a, "certainty"_a, "ending_layouts"_a, "ending_work"_a,
             "boards"_a);
    nb::class_<Playthrough>(m, "Playthrough")
        .def_ro("steps", &Playthrough::steps)
        .def_ro("guesses", &Playthrough::guesses)
        .def_ro("certain", &Playthrough::certain)
        .def_ro("actions", &Playthrough::actions)
        .def("moves", &moves_of);
    m.def("play_seeds", &play_games, "player"_a, "topology"_a, "mines"_a, "start"_a, "keep_going"_a,
          "cascade"_a, "arrival"_a.none(), "given_safe"_a, "channel"_a, "told_mines"_a.none(),
          "assumed"_a, "seeds"_a, "firsts"_a, "threads"_a);
    m.def("play_out", &play_game, "game"_a, "player"_a, "mines"_a.none(), "channel"_a, "seed"_a);
}

}  // namespace mineproof
