// Layouts that speak against a claim: the cell is turned round, and yet some clues are met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/evidence.hpp"
#include "counting/frontier.hpp"

namespace mineproof {

// Looks for layouts in which one cell is turned round. Each is made from a layout that fits all
// evidence, and changed as little as can be: so it breaks few clues, and those lie around the cell.
class Counterexamples {
  public:
    using Cells = std::vector<std::int32_t>;
    enum class Answer { found, none, gave_up };

    // Clues to be met at once are told apart by bits.
    static constexpr std::size_t most_clues = 32;

    // The layout fits the evidence, whose parts must outlive this.
    Counterexamples(const Evidence& evidence, std::vector<std::uint8_t> layout);

    // Whether some layout with the cell, which is unknown, turned round meets the clues; with the
    // same number of mines, if asked to. Gives up where more work is needed than is left.
    Answer look(std::int32_t cell, std::span<const std::int32_t> clues, bool keep_total,
                std::int64_t& work_left);
    // The clues that the layout found last breaks, ascending.
    const Cells& broken() const { return broken_; }

    bool unknown(std::int32_t cell) const { return surface_.fate[place(cell)] == Fate::unknown; }
    bool mined(std::int32_t cell) const { return layout_[place(cell)] != 0; }
    bool speaks(std::int32_t cell) const;

  private:
    // Cells of the same clues among those to be met.
    struct Box {
        std::uint32_t clues = 0;
        int mines = 0;  // in the layout that fits
        int chosen = 0;
        Cells cells{};
    };
    struct Target {
        std::uint32_t allowed = 0;  // numbers of mines, as bits
        int mines = 0;
        int open = 0;  // cells not yet decided

        bool in_reach() const { return (allowed >> mines & ((std::uint32_t{2} << open) - 1)) != 0; }
    };

    static std::size_t place(std::int32_t cell) { return static_cast<std::size_t>(cell); }
    void form_boxes(std::span<const std::int32_t> clues);
    bool total_in_reach() const { return !keep_total_ || (left_ >= 0 && left_ <= capacity_); }
    bool fill(std::size_t box, std::int64_t& work_left);
    void make();
    void turn(std::int32_t cell);
    std::int64_t turn_some(const Cells& cells, std::int64_t more);
    void find_broken();
    const Cells& elsewhere(bool mined);
    // The numbers of unknown mines around that a clue allows, as bits.
    std::uint32_t allowed(std::int32_t clue) const;

    const Evidence evidence_;
    const std::vector<std::uint8_t> layout_;
    const Surface surface_;
    std::int64_t mines_ = 0;  // of the layout that fits, under unknown cells
    // Unknown cells that are free and mined in it, those first that the fewest clues speak of;
    // made when first needed.
    Cells free_, mined_;

    // The question at hand.
    std::int32_t cell_ = 0;
    bool keep_total_ = false;
    std::vector<Box> boxes_;
    std::vector<Target> targets_;
    std::int64_t left_ = 0;      // mines for the boxes not yet decided and what lies outside
    std::int64_t capacity_ = 0;  // cells that may take them
    Cells turned_, touched_, broken_;

    // By cell; all zero between questions.
    std::vector<std::uint32_t> clues_of_;  // those to be met that speak of it
    std::vector<std::uint8_t> is_turned_;
    std::vector<std::int8_t> change_;  // around a clue: mines more than in the layout that fits
};

}  // namespace mineproof
