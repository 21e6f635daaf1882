#include "play/bulk.hpp"

#include <utility>

#include "board/threads.hpp"

namespace mineproof {

Summary play_seed(const Conditions& conditions, Player& player, Seed seed) {
    auto mines =
        lay_mines(*conditions.topology, conditions.mines, seed.seed, conditions.start, seed.first);
    std::vector<std::int32_t> known;
    if (seed.first >= 0)
        known = protected_cells(*conditions.topology, mines, conditions.start, seed.first);
    const auto given = mineproof::given_safe(mines, conditions.given_safe, seed.seed);
    known.insert(known.end(), given.begin(), given.end());
    Game game(conditions.topology, std::move(mines), *conditions.channel, seed.seed,
              conditions.rules, known);
    const bool opens = seed.first >= 0 && game.status() == Status::playing;
    if (opens) game.open(seed.first);
    const bool sure = conditions.start != Start::any;
    const auto played =
        play_out(game, player, conditions.prior, conditions.assumed, seed.player, Record::counts);
    return {.status = static_cast<std::int32_t>(game.status()),
            .hits = game.exploded(),
            .opened = game.opened(),
            .steps = opens + played.steps,
            .actions = opens + played.actions,
            .guesses = (opens && !sure) + played.guesses,
            .certain = (opens && sure) + played.certain,
            .identified = game.identified(),
            .wrong_flags = game.wrong_flags()};
}

std::vector<Summary> play_seeds(const Conditions& conditions,
                                std::span<const std::unique_ptr<Player>> players,
                                std::span<const Seed> seeds) {
    std::vector<Summary> summaries(seeds.size());
    in_threads(players.size(), seeds.size(), [&](std::size_t thread, std::size_t i) {
        summaries[i] = play_seed(conditions, *players[thread], seeds[i]);
    });
    return summaries;
}

}  // namespace mineproof
