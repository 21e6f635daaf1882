// Layouts that disprove a claim about a cell: the cell is flipped, and yet some clues are
// satisfied.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/evidence.hpp"
#include "counting/frontier.hpp"

namespace mineproof {

// Finds layouts in which one cell is flipped. Each is made from a layout that fits the evidence by
// as few changes as possible, so it breaks few clues, and those are near the cell.
class Counterexamples {
  public:
    using Cells = std::vector<std::int32_t>;
    enum class Answer { found, none, gave_up };

    // A set of clues to satisfy is a bit mask.
    static constexpr std::size_t most_clues = 32;

    // The layout must fit the evidence. What the evidence refers to must outlive this object.
    Counterexamples(const Evidence& evidence, std::vector<std::uint8_t> layout);

    // Whether a layout with the unknown cell flipped satisfies the clues, with the same number of
    // mines if `keep_total`. Gives up if that takes more work than is left.
    Answer find(std::int32_t cell, std::span<const std::int32_t> clues, bool keep_total,
                std::int64_t& work_left);
    // The clues that the last layout found breaks, ascending.
    const Cells& broken() const { return broken_; }

    bool unknown(std::int32_t cell) const {
        return known_cells_.knowledge[place(cell)] == Knowledge::unknown;
    }
    bool mined(std::int32_t cell) const { return layout_[place(cell)] != 0; }

  private:
    // Cells that touch the same clues among those to satisfy.
    struct Group {
        std::uint32_t clues = 0;
        int mines = 0;  // in the layout that fits
        int chosen = 0;
        Cells cells{};
    };
    struct Target {
        std::uint32_t allowed = 0;  // numbers of mines, as a bit mask
        int mines = 0;
        int open = 0;  // cells not yet decided

        bool in_reach() const { return (allowed >> mines & ((std::uint32_t{2} << open) - 1)) != 0; }
    };

    static std::size_t place(std::int32_t cell) { return static_cast<std::size_t>(cell); }
    void form_groups(std::span<const std::int32_t> clues);
    bool total_in_reach() const { return !keep_total_ || (left_ >= 0 && left_ <= capacity_); }
    bool fill(std::size_t group, std::int64_t& work_left);
    void build_layout();
    void flip(std::int32_t cell);
    std::int64_t flip_some(const Cells& cells, std::int64_t more);
    void find_broken();
    const Cells& elsewhere(bool mined);
    // The numbers of unknown mines that a clue allows, as a bit mask.
    std::uint32_t allowed(std::int32_t clue) const;

    const Evidence evidence_;
    const std::vector<std::uint8_t> layout_;
    const KnownCells known_cells_;
    std::int64_t mines_ = 0;  // under unknown cells of the layout that fits
    // Unknown cells that are free or mined in that layout, those with the fewest clues first.
    // Filled when first needed.
    Cells free_, mined_;

    // The current question.
    std::int32_t cell_ = 0;
    bool keep_total_ = false;
    std::vector<Group> groups_;
    std::vector<Target> targets_;
    std::int64_t left_ = 0;      // mines for the undecided groups and all other cells
    std::int64_t capacity_ = 0;  // cells that may hold them
    Cells flipped_, touched_, broken_;

    // By cell; all zero between questions.
    std::vector<std::uint32_t> clues_of_;  // bit mask of the clues to satisfy that touch it
    std::vector<std::uint8_t> is_flipped_;
    std::vector<std::int8_t> change_;  // around a clue: mines added to the layout that fits
};

}  // namespace mineproof
