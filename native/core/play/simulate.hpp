// Plays whole games natively and records the moves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "board/game.hpp"
#include "counting/evidence.hpp"
#include "play/player.hpp"

namespace mineproof {

struct PlayedMove {
    std::int32_t step;  // the number of decisions before this one
    Action action;
    std::int32_t reason;  // its place among the reasons; -1 for waiting
    std::int32_t opened;  // safe cells opened by the move
    std::int32_t hits;    // mines exploded by the move
    std::vector<std::pair<std::int32_t, std::int8_t>> shown;  // what it changed, as of the game
};

struct Playthrough {
    std::vector<PlayedMove> moves;
    std::vector<std::string> reasons;  // of the decisions
    std::int32_t steps = 0;
    std::int32_t actions = 0;  // moves of the player, not the waiting between them
    std::int32_t guesses = 0;  // opened cells not claimed to be safe
    std::int32_t certain = 0;  // moves claimed to be certain
};

// What to write down of a game besides its counts.
enum class Record { counts, moves };

// Lets the player decide until the game ends or the player has no decision.
Playthrough play_out(Game& game, Player& player, const Prior& prior,
                     std::shared_ptr<const Channel> channel, std::uint64_t seed, Record record);

}  // namespace mineproof
