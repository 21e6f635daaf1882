#include "play/simulate.hpp"

#include <algorithm>

namespace mineproof {

namespace {

// Carries out one decision in order until the game ends. Skips cells that an earlier action opened.
void carry_out(Game& game, const Decision& decision, Record record, Playthrough& played) {
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
        if (record == Record::moves)
            played.moves.push_back(
                {played.steps, action, static_cast<std::int32_t>(played.reasons.size()),
                 game.opened() - opened, game.exploded() - exploded, game.shown()});
    }
}

}  // namespace

Playthrough play_out(Game& game, Player& player, const Prior& prior,
                     std::shared_ptr<const Channel> channel, std::uint64_t seed, Record record) {
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
            if (record == Record::moves)
                played.moves.push_back({played.steps, {wait}, -1, 0, 0, game.shown()});
            continue;
        }
        carry_out(game, decision, record, played);
        if (record == Record::moves) played.reasons.push_back(decision.reason());
        ++played.steps;
    }
    return played;
}

}  // namespace mineproof
