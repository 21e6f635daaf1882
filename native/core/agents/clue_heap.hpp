// Solves single clues from a heap, then stuck clues by their joint solutions, and else opens a
// random cell.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/clues.hpp"

namespace mineproof {

// Clues that are read together, the cells around them, and all ways to lay their mines.
class JointClues {
  public:
    // What is known of the mines of the whole board, if the total is told.
    struct Rest {
        std::int64_t mines;
        std::int64_t cells;
    };

    void clear(std::size_t cells);
    // Adds a clue, unless there are too many ways to meet all clues, or none.
    bool join(const Clues& clues, std::int32_t clue, const std::optional<Rest>& rest);

    bool touches(const Clues& clues, std::int32_t clue) const;
    std::span<const std::int32_t> clues() const { return clues_; }
    std::size_t ways() const { return mines_.size(); }
    // Appends the certain moves, flags first.
    void conclude(const Clues& clues, const std::optional<Rest>& rest,
                  std::vector<Action>& actions) const;

  private:
    // The largest number of ways that are listed.
    static constexpr std::size_t most_ways = 100;

    bool has(std::int32_t cell) const { return place_[at(cell)] >= 0; }

    std::vector<std::int32_t> clues_, cells_;
    std::vector<std::int32_t> place_;    // of each cell of the board among the cells, or -1
    std::vector<std::uint8_t> layouts_;  // a row per way, with a byte per cell
    std::vector<std::int32_t> mines_;    // of each way
};

class ClueHeapPlayer : public CluePlayer {
  public:
    explicit ClueHeapPlayer(bool backtracks) : backtracks_(backtracks) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<ClueHeapPlayer>(backtracks_);
    }

  private:
    // The smallest clues come first.
    using Heap = std::array<CellSet, max_degree + 1>;

    void start(const Question& question) override;
    Decision choose(const Question& question) override;
    void queue_influenced();
    std::optional<Decision> solve_next();
    std::optional<Decision> settle_rest(const std::optional<JointClues::Rest>& rest) const;
    std::optional<Decision> backtrack(const std::optional<JointClues::Rest>& rest);

    bool backtracks_;
    Heap heap_, waiting_;
    JointClues joint_;
    std::vector<std::int32_t> stuck_, others_;
    std::vector<std::uint8_t> joined_;      // by clue
    std::optional<JointClues::Rest> rest_;  // at the last backtracking
};

}  // namespace mineproof
