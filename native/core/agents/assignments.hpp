// Assignments of mines to the border, which are the closed cells next to clues.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "board/cell.hpp"

namespace mineproof {

class Clues;

// The least and the largest number of mines among the unknown neighbours of a clue.
struct Limit {
    Limit(const Clues& clues, std::int32_t clue, int least, int most);

    std::span<const std::int32_t> cells() const { return std::span(cells_).first(size_); }
    bool can_be_met() const { return most >= 0 && least <= static_cast<int>(size_); }

    friend bool operator==(const Limit&, const Limit&) = default;

    std::int32_t clue;
    int least, most;

  private:
    std::array<std::int32_t, max_degree> cells_{};
    std::size_t size_ = 0;
};

using Limits = std::vector<Limit>;

// Splits limits into borders that share no cell, so that each can be searched on its own. The order
// within a border matters to `clue_by_clue`.
std::vector<Limits> borders(const Limits& limits, std::size_t board_cells);

// The cells of limits in row order, each with the numbers of its limits.
class CellLimits {
  public:
    explicit CellLimits(std::span<const Limit> limits);

    const std::vector<std::int32_t>& cells() const { return cells_; }
    std::span<const std::int32_t> of(std::int32_t cell) const;

  private:
    std::vector<std::int32_t> cells_;
    std::vector<std::size_t> begin_;  // by cell: where its limits begin
    std::vector<std::int32_t> limits_;
};

// The same cells in an order that decides limits early: the next limit is always one that has some
// of its cells in order, and the fewest others.
std::vector<std::int32_t> clue_by_clue(std::span<const Limit> limits);

// Depth-first search for the assignments that break no limit. Each cell, in the given order, is
// first a mine and then free. As soon as a limit is broken, the search goes back.
class Assignments {
  public:
    Assignments(std::span<const Limit> limits, std::span<const std::int32_t> cells,
                std::int64_t steps);

    // Finds the next assignment. Returns false if there is none, or none within the steps.
    bool next();
    bool exhausted() const { return exhausted_; }
    // By place of the cell: whether it is a mine.
    std::span<const std::uint8_t> mines() const { return mined_; }

  private:
    enum class Next : std::uint8_t { mine, free, back };

    bool breaks(std::size_t place, bool mine) const;
    void decide(std::size_t place, int mine);
    void undo(std::size_t place);

    struct Rest {
        int room, least, most;
    };
    std::vector<Rest> rest_;               // by limit
    std::vector<std::int32_t> limits_of_;  // one place after the other
    std::vector<std::size_t> begin_;       // by place, where its limits begin
    std::vector<std::uint8_t> mined_;      // by place
    std::vector<Next> next_;               // by place
    std::int64_t steps_;
    std::size_t place_ = 0;  // that is tried next
    bool decided_ = false;   // whether that place holds a value
    bool done_, exhausted_ = false;
};

}  // namespace mineproof
