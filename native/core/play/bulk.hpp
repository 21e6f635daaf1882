// Many games of the same kind, played natively by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/game.hpp"
#include "board/generate.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"

namespace mineproof {

// What all games have in common.
struct Conditions {
    std::shared_ptr<const Topology> topology;
    std::int64_t mines;
    Start start;
    Game::Rules rules;
    std::int64_t given_safe;
    std::shared_ptr<const Channel> channel;  // of the games
    Prior prior;                             // what the player assumes
    std::shared_ptr<const Channel> assumed;
};

// One game: the seeds of its board and of the player, and the cell to open first, or -1.
struct Seed {
    std::uint64_t seed;
    std::uint64_t player;
    std::int32_t first;
};

// How a game went, counted like a record of the arena.
struct Summary {
    std::int32_t status, hits, opened, steps, actions, guesses, certain, identified, wrong_flags;
};

Summary play_seed(const Conditions& conditions, Player& player, Seed seed);

// One thread per player; the calling thread is one of them. The summaries are in the order of the
// seeds, and do not depend on the number of players. If a game throws, the others stop.
std::vector<Summary> play_seeds(const Conditions& conditions,
                                std::span<const std::unique_ptr<Player>> players,
                                std::span<const Seed> seeds);

}  // namespace mineproof
