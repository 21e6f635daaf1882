// Many games of the same kind, played natively by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/game.hpp"
#include "board/setup.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"

namespace mineproof {

// What all games have in common.
struct Conditions {
    Setup setup;
    Prior prior;  // what the player assumes
    std::shared_ptr<const Channel> assumed;
};

// The seeds of a game and of its player.
struct Seed {
    std::uint64_t game;
    std::uint64_t player;
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
