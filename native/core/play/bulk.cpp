#include "play/bulk.hpp"

#include <utility>

#include "board/threads.hpp"

namespace mineproof {

Summary play_seed(const Conditions& conditions, Player& player, Seed seed) {
    Game game(conditions.setup, seed.game);
    game.lay(-1);
    const bool opens = game.first() >= 0 && game.status() == Status::playing;
    if (opens) game.open(game.first());
    const bool sure = conditions.setup.start != Start::any;
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
