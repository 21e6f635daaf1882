#include "play/simulate.hpp"

#include <algorithm>

namespace mineproof {

namespace {

// Carries out one decision in order until the game ends. Skips cells that an earlier action opened.
void carry_out(Game& game, const Decision& decision, Playthrough& played) {
    bool first = true;
    for (const auto& action : decision.actions) {
        if (game.status() != Status::playing) return;
        if (!first && cell::is_open(game.code_at(action.move.cell))) continue;
        first = false;
        const auto opened = game.opened();
        const auto exploded = game.exploded();
        game.make(action.move);
        played.guesses += action.move.kind == MoveKind::open && !action.certain;
        played.certain += action.certain;
        ++played.actions;
        played.moves.push_back({played.steps, action, decision.reason, game.opened() - opened,
                                game.exploded() - exploded});
    }
}

}  // namespace

Playthrough play_out(Game& game, Player& player, const Prior& prior,
                     std::shared_ptr<const Channel> channel, std::uint64_t seed) {
    Playthrough played;
    player.begin(seed);
    Question question{game.topology(), {}, prior, std::move(channel), false};
    while (game.status() == Status::playing) {
        const auto seen = game.cells();
        question.cells.assign(seen.begin(), seen.end());
        const auto decision = player.decide(question);
        if (decision.actions.empty()) {
            const auto late = std::ranges::find(seen, cell::pending);
            if (late == seen.end()) break;
            const Move wait{MoveKind::wait, static_cast<std::int32_t>(late - seen.begin())};
            game.make(wait);
            played.moves.push_back({played.steps, {wait, false, 0.0}, decision.reason, 0, 0});
            continue;
        }
        carry_out(game, decision, played);
        ++played.steps;
    }
    return played;
}

}  // namespace mineproof
