// Whole games, played natively.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agents/basic.hpp"
#include "agents/border.hpp"
#include "agents/clue_heap.hpp"
#include "agents/components.hpp"
#include "agents/logic.hpp"
#include "agents/noisy_or.hpp"
#include "agents/projection.hpp"
#include "agents/random.hpp"
#include "agents/weights.hpp"
#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/game.hpp"
#include "board/index.hpp"
#include "board/setup.hpp"
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

template <class Kind, class... Settings>
std::unique_ptr<GuardedPlayer> make_player(Settings&&... settings) {
    Team team;
    team.push_back(std::make_unique<Kind>(std::forward<Settings>(settings)...));
    return std::make_unique<GuardedPlayer>(std::move(team));
}

auto make_exact_player(const nb::int_& nodes, const nb::int_& bytes, bool short_chains,
                       bool naive) {
    return make_player<ExactPlayer>(to_budget(nodes, bytes),
                                    short_chains ? Preference::short_chain : Preference::first,
                                    naive ? Belief::exact : Belief::told);
}

auto make_champion(const nb::int_& nodes, const nb::int_& bytes, const nb::int_& candidates,
                   const nb::int_& inside, double least_safety, double second, double certainty,
                   const nb::int_& ending_layouts, const nb::int_& ending_work,
                   const nb::int_& boards) {
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
    return make_player<ChampionPlayer>(to_budget(nodes, bytes), strength);
}

// One decision: its actions as (kind, cell, certain, risk), and its reason.
auto decide(GuardedPlayer& player, std::shared_ptr<Topology> topology, const Codes& cells,
            const std::optional<nb::int_>& mines, std::shared_ptr<Channel> channel) {
    Question question{std::move(topology), {}, to_prior(mines), std::move(channel), false};
    question.cells = to_codes("cells", cells, *question.topology);
    std::string reason;
    const auto decision = player.use_without_gil([&](Team& team) {
        auto made = team.front()->decide(question);
        if (!made.actions.empty()) reason = made.reason();
        return made;
    });
    std::vector<std::tuple<int, int, bool, double>> actions;
    for (const auto& action : decision.actions)
        actions.emplace_back(static_cast<int>(action.move.kind), action.move.cell, action.certain,
                             action.risk);
    return std::tuple{std::move(actions), std::move(reason)};
}

Playthrough play_game(GuardedGame& game, GuardedPlayer& player,
                      const std::optional<nb::int_>& mines, std::shared_ptr<Channel> channel,
                      const nb::int_& seed, bool moves) {
    const auto prior = to_prior(mines);
    const auto word = to_word("seed", seed);
    return game.use_both_without_gil(player, [&](Game& board, Team& team) {
        return play_out(board, *team.front(), prior, std::move(channel), word,
                        moves ? Record::moves : Record::counts);
    });
}

using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// One row per game, with the members of a summary.
auto play_games(GuardedPlayer& player, const Setup& setup, bool total_told, bool channel_told,
                const Words& seeds, const Words& player_seeds, const nb::int_& threads) {
    const auto exact = std::make_shared<const Channel>();
    const Conditions conditions{setup,
                                total_told ? Prior{Prior::Kind::total, setup.mines, 0.0} : Prior{},
                                channel_told ? setup.channel : exact};
    const auto players = static_cast<std::size_t>(to_number("threads", threads, 1, most_threads));
    if (seeds.size() != player_seeds.size())
        throw std::invalid_argument("player_seeds: " + std::to_string(player_seeds.size()) +
                                    " seeds, expected " + std::to_string(seeds.size()));
    std::vector<Seed> games;
    for (std::size_t i = 0; i < seeds.size(); ++i)
        games.push_back({seeds.data()[i], player_seeds.data()[i]});
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
    std::vector<std::tuple<int, int, int, bool, double, std::string, int, int,
                           std::vector<std::pair<int, int>>>>
        result;
    for (const auto& [step, action, reason, opened, hits, shown] : played.moves)
        result.emplace_back(step, static_cast<int>(action.move.kind), action.move.cell,
                            action.certain, action.risk,
                            reason < 0 ? std::string() : played.reasons[at(reason)], opened, hits,
                            std::vector<std::pair<int, int>>(shown.begin(), shown.end()));
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
        .def("decide", &decide, "topology"_a, "cells"_a, "mines"_a.none(), "channel"_a)
        .def_static("exact", &make_exact_player, "nodes"_a, "bytes"_a, "short_chains"_a,
                    "naive"_a = false)
        .def_static("champion", &make_champion, "nodes"_a, "bytes"_a, "candidates"_a, "inside"_a,
                    "least_safety"_a, "second"_a, "certainty"_a, "ending_layouts"_a,
                    "ending_work"_a, "boards"_a)
        .def_static(
            "clue_heap", [](bool backtracks) { return make_player<ClueHeapPlayer>(backtracks); },
            "backtracks"_a)
        .def_static("logic", &make_player<LogicPlayer>)
        .def_static("random", &make_player<RandomPlayer>)
        .def_static(
            "basic", [](bool eight) { return make_player<BasicPlayer>(eight); }, "eight"_a)
        .def_static(
            "noisy_or", [](double threshold) { return make_player<NoisyOrPlayer>(threshold); },
            "threshold"_a)
        .def_static(
            "components", [](bool corners) { return make_player<ComponentsPlayer>(corners); },
            "corners"_a)
        .def_static(
            "weights", [](bool subtract) { return make_player<WeightsPlayer>(subtract); },
            "subtract"_a)
        .def_static(
            "border",
            [](bool split, const nb::int_& steps) {
                return make_player<BorderPlayer>(split, to_number("steps", steps, 0));
            },
            "split"_a, "steps"_a)
        .def_static(
            "projection",
            [](bool eight, bool strict, bool global, bool annealed, bool away,
               const nb::int_& steps) {
                return make_player<ProjectionPlayer>(
                    ProjectionOptions{eight, strict, global, annealed, away},
                    to_number("steps", steps, 0));
            },
            "eight"_a, "strict"_a, "global_"_a, "annealed"_a, "away"_a, "steps"_a);
    nb::class_<Playthrough>(m, "Playthrough")
        .def_ro("steps", &Playthrough::steps)
        .def_ro("guesses", &Playthrough::guesses)
        .def_ro("certain", &Playthrough::certain)
        .def_ro("actions", &Playthrough::actions)
        .def("moves", &moves_of);
    m.def("play_seeds", &play_games, "player"_a, "setup"_a, "total_told"_a, "channel_told"_a,
          "seeds"_a, "player_seeds"_a, "threads"_a);
    m.def("play_out", &play_game, "game"_a, "player"_a, "mines"_a.none(), "channel"_a, "seed"_a,
          "moves"_a);
}

}  // namespace mineproof
