// Whole games, played natively: the referee and a player, and what was done.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "board/game.hpp"
#include "counting/evidence.hpp"
#include "play/player.hpp"

namespace mineproof {

struct PlayedMove {
    std::int32_t step;  // decisions made before
    Action action;
    Reason reason;
    std::int32_t opened;  // safe cells that it opened
    std::int32_t hits;    // mines that it exploded
};

struct Playthrough {
    std::vector<PlayedMove> moves;
    std::int32_t steps = 0;
    std::int32_t guesses = 0;  // openings not claimed certain
    std::int32_t certain = 0;  // moves claimed certain
};

// Lets the player decide until the game ends or it has no decision.
Playthrough play_out(Game& game, Player& player, const Prior& prior,
                     std::shared_ptr<const Channel> channel, std::uint64_t seed);

}  // namespace mineproof
