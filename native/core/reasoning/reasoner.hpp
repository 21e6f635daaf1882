// Solves a board from its first cell with reasoning of a limited difficulty.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/model.hpp"
#include "board/topology.hpp"
#include "counting/layout_cache.hpp"
#include "counting/layouts.hpp"

namespace mineproof {

// How cells become known, from the simplest technique to the hardest: given at the start or opened
// by a cascade; counting around one clue; comparing two clues; all that the clues imply; all that
// the clues and the mine total imply.
enum class Technique : std::uint8_t { given, counting, subset, cases, total };
inline constexpr std::size_t techniques = 5;

// In each round, the simplest technique that settles any cell settles all cells that it can, and
// safe cells are opened. More knowledge never makes a technique weaker, so whether a board can be
// solved with a technique does not depend on any order.
class Reasoner {
  public:
    enum class Knowledge : std::uint8_t { unknown, open, mine };

    // The budget is for every position that needs `cases` or `total`.
    Reasoner(std::shared_ptr<const Topology> topology, Budget budget);

    // Starts a board: opens cells, which must be safe.
    void begin(std::span<const std::uint8_t> mines, std::span<const std::int32_t> known_safe);
    // Goes on until every safe cell is open, or until nothing more follows with the techniques up
    // to the hardest. Returns whether all is open. Throws BudgetExceeded if a position is too wide.
    bool solve(Technique hardest);
    // Moves a mine between two unknown cells. Clues of open cells change with it, so what was
    // settled before stays true, but might not be settled again from the start.
    void move_mine(std::int32_t from, std::int32_t to);

    bool solved() const { return safe_left_ == 0; }
    Knowledge knowledge(std::int32_t cell) const { return known_[static_cast<std::size_t>(cell)]; }
    // How many neighbours of a cell are unknown.
    int unknown_around(std::int32_t cell) const { return unknown_[static_cast<std::size_t>(cell)]; }
    std::span<const std::uint8_t> mines() const { return mines_; }
    // How many cells each technique settled, safe cells and mines.
    const std::array<std::int32_t, techniques>& settled() const { return settled_; }
    // The hardest technique that settled a cell.
    Technique hardest() const;
    std::int32_t opened() const { return opened_; }

  private:
    struct Conclusion {
        std::int32_t cell;
        bool mine;
    };

    bool settle_by_counting();
    bool settle_by_comparing();
    bool settle_by_layouts(Technique hardest);
    void compare(std::int32_t one, std::int32_t other, int shared);
    void conclude_around(std::int32_t clue, bool mine);
    // Settles the conclusions, then what cascades open. Returns whether there were any.
    bool settle(Technique technique);
    bool learn(std::int32_t cell, bool mine);
    void touch(std::int32_t clue);
    int left(std::int32_t clue) const {
        const auto place = static_cast<std::size_t>(clue);
        return counts_[place] - mines_known_[place];
    }

    std::shared_ptr<const Topology> topology_;
    std::shared_ptr<const Channel> channel_;
    Budget budget_;
    LayoutCache cache_;
    std::vector<std::uint8_t> mines_;
    std::int64_t total_ = 0;
    std::int32_t safe_left_ = 0;
    std::int32_t opened_ = 0;
    std::array<std::int32_t, techniques> settled_{};
    // By cell.
    std::vector<Knowledge> known_;
    std::vector<std::uint8_t> counts_;       // mines around it
    std::vector<std::uint8_t> mines_known_;  // known mines around it
    std::vector<std::uint8_t> unknown_;      // unknown cells around it
    std::vector<std::uint8_t> queued_;       // bits of the two queues
    std::vector<std::int32_t> mark_;         // the last comparison that saw it
    std::int32_t round_ = 0;
    // Open cells whose surroundings changed since they were last counted or compared.
    std::vector<std::int32_t> to_count_, to_compare_;
    std::vector<Conclusion> conclusions_;
    std::vector<std::int32_t> zeros_;
};

}  // namespace mineproof
