// Finds boards with long chains of influence by simulated annealing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "board/generate.hpp"
#include "board/random.hpp"
#include "board/topology.hpp"
#include "chains/chains.hpp"
#include "counting/evidence.hpp"
#include "reasoning/reasoner.hpp"

namespace mineproof {

// Each step moves one mine, usually not far. Among boards that need no guess, longer chains are
// better. A board that needs a guess is worse than any of these, and worse the more of it stays
// closed. Worse boards are accepted too, but less often as the temperature falls.
class ChainSearch {
  public:
    struct Found {
        std::vector<std::uint8_t> mines;
        int longest;
    };

    // Starts with the board of the seed, which also draws the steps, and keeps its start rule.
    // Throws std::invalid_argument if the mines do not fit.
    ChainSearch(std::shared_ptr<const Topology> topology, std::int64_t mines, Start start,
                std::int32_t first, std::int64_t evaluations, std::uint64_t seed);

    // Evaluates more boards, up to the number given to the constructor in total.
    void advance(std::int64_t evaluations);
    std::int64_t evaluated() const { return evaluated_; }
    // The board with the longest chain so far; nothing if every board needed a guess.
    const std::optional<Found>& best() const { return best_; }

  private:
    // How a board is solved, round by round.
    struct Solution {
        struct Round {
            std::vector<std::int8_t> seen;
            std::vector<std::int32_t> safe;  // opened next
            std::size_t links;               // settled so far
        };
        Chains chains;
        std::vector<Round> rounds;
    };

    // Whether a value up to this much would change the search.
    using Matters = std::function<bool(int)>;
    // If the value does not matter, it may be too high, but none that matters.
    int evaluate(const std::vector<std::uint8_t>& mines, const Matters& matters);
    // A free cell to move a mine to.
    std::int32_t& draw_free(std::int32_t mined);

    std::shared_ptr<const Topology> topology_;
    std::shared_ptr<const Channel> channel_;
    std::int32_t first_;
    std::int64_t evaluations_;
    std::int64_t evaluated_ = 0;
    Random random_;
    Reasoner reasoner_;
    std::vector<std::uint8_t> mines_;         // of the current board
    std::vector<std::int32_t> known_safe_;    // by the start rule
    std::vector<std::int32_t> mined_, free_;  // its cells that are not known safe
    int value_ = 0;                           // its value
    Solution current_;                        // its own, or of the last one without a guess
    std::optional<Solution> trial_;           // of the board that was evaluated last
    std::optional<Found> best_;
};

}  // namespace mineproof
