// Boards with long chains of influence, found by simulated annealing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "board/generate.hpp"
#include "board/random.hpp"
#include "board/topology.hpp"
#include "counting/evidence.hpp"

namespace mineproof {

// Moves one mine at a time, mostly not far. Among boards that need no guess, longer chains are
// better; a board that needs one is worse than all of them, and the worse the more of it stays
// closed. Worse boards are taken too, ever more rarely as the search cools down.
class ChainSearch {
  public:
    struct Found {
        std::vector<std::uint8_t> mines;
        int longest;
    };

    // Begins with the board of the seed, which also draws the moves, and keeps its start rule.
    // Throws std::invalid_argument where the mines do not fit.
    ChainSearch(std::shared_ptr<const Topology> topology, std::int64_t mines, Start start,
                std::int32_t first, std::int64_t evaluations, std::uint64_t seed);

    // Looks at so many boards more, but at no more in all than was said at the beginning.
    void advance(std::int64_t evaluations);
    std::int64_t evaluated() const { return evaluated_; }
    // The board with the longest chain so far; nothing where each needed a guess.
    const std::optional<Found>& best() const { return best_; }

  private:
    int judge(const std::vector<std::uint8_t>& mines);
    // A free cell to take a mine to.
    std::int32_t& draw_free(std::int32_t mined);

    std::shared_ptr<const Topology> topology_;
    std::shared_ptr<const Channel> channel_;
    std::int32_t first_;
    std::int64_t evaluations_;
    std::int64_t evaluated_ = 0;
    Random random_;
    std::vector<std::int32_t> known_safe_;    // by the start rule
    std::vector<std::uint8_t> mines_;         // of the board at hand
    std::vector<std::int32_t> mined_, free_;  // its other cells
    int value_ = 0;                           // of it
    std::optional<Found> best_;
};

}  // namespace mineproof
