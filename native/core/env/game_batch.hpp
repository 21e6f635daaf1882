// Many games of the same kind, played in step: one action per game and call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board/generate.hpp"
#include "board/model.hpp"
#include "board/random.hpp"
#include "board/topology.hpp"

namespace mineproof {

// Opening cells only, until a mine explodes. A game is the one that `Game` plays with the same seed
// and the same first cell, but its cells are kept in one array for all games.
class GameBatch {
  public:
    // What a cell shows: -1 closed, 0 to 8 a clue, or this if it is open without a clue.
    static constexpr std::int8_t no_clue = 9;

    struct Conditions {
        std::shared_ptr<const Topology> topology;
        std::int64_t mines = 0;
        Start start = Start::safe;  // the mines are laid around the first cell that is opened
        std::shared_ptr<const Channel> channel;
        bool cascade = true;
    };
    struct Rewards {
        double win = 1.0;
        double loss = -1.0;
        double safe = 0.0;  // for an action that opens a safe cell
        double cell = 0.0;  // for each cell that it opens, cascades included
        double invalid = 0.0;
    };
    struct Episodes {
        bool invalid_ends = false;   // an action on an open cell ends the game
        std::int64_t max_steps = 0;  // a longer game is truncated; 0 if there is no limit
        bool same_step = false;      // a game that ends is followed by the next one at once
    };

    // Throws std::invalid_argument if the mines do not fit.
    GameBatch(Conditions conditions, Rewards rewards, Episodes episodes, std::size_t games);

    std::size_t games() const { return seeds_.size(); }
    const Topology& topology() const { return *conditions_.topology; }

    // Starts a game with the board of this seed, which also determines the seeds of the games that
    // follow it.
    void seed(std::size_t game, std::uint64_t seed);
    // Starts the next game.
    void next(std::size_t game);

    // The first game whose action would open an open cell.
    std::optional<std::size_t> first_invalid(std::span<const std::int64_t> actions) const;
    // Takes one action per game: the number of a cell. A game that ended before starts again
    // instead, with no reward.
    void step(std::span<const std::int64_t> actions);

    // By game and cell.
    std::span<const std::int8_t> cells() const { return cells_; }
    // Whether a cell is closed, by game and cell.
    std::span<const std::int8_t> closed() const { return closed_; }
    // The cells of the games that ended in the last step, by game and cell, and the seeds of their
    // boards. Only with `same_step`.
    std::span<const std::int8_t> final_cells() const { return final_cells_; }
    std::span<const std::uint64_t> final_seeds() const { return final_seeds_; }
    // What the last step gave, by game.
    std::span<const double> rewards() const { return rewards_; }
    std::span<const std::uint8_t> terminated() const { return terminated_; }
    std::span<const std::uint8_t> truncated() const { return truncated_; }
    std::span<const std::uint8_t> won() const { return won_; }
    // Of the current game, by game.
    std::span<const std::uint64_t> seeds() const { return seeds_; }

    // Where the mines of a game are; empty before they are laid.
    std::span<const std::uint8_t> mines(std::size_t game) const;

  private:
    void begin(std::size_t game, std::uint64_t seed);
    void lay(std::size_t game, std::int32_t first);
    void act(std::size_t game, std::int32_t cell);
    // Opens a safe cell and what a cascade opens. Returns how many.
    int open(std::size_t game, std::int32_t cell);
    bool is_over(std::size_t game) const { return terminated_[game] || truncated_[game]; }

    Conditions conditions_;
    Rewards reward_;
    Episodes episodes_;
    std::size_t size_;  // cells per game
    std::vector<std::int8_t> cells_, closed_, final_cells_;
    std::vector<std::uint8_t> mines_;
    std::vector<double> rewards_;
    std::vector<std::uint8_t> terminated_, truncated_, won_, laid_;
    std::vector<std::int32_t> opened_;
    std::vector<std::int64_t> steps_;
    std::vector<std::uint64_t> seeds_, final_seeds_;
    std::vector<Random> random_;
    std::vector<std::int32_t> zeros_;
};

}  // namespace mineproof
