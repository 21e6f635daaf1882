// Adds up what clues say about each cell, turn after turn, and trusts the sums.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/clues.hpp"

namespace mineproof {

// Here a cell with a flag is as unknown as one without.
class WeightsPlayer : public CluePlayer {
  public:
    // Whether a flag takes its mine from the clues around it.
    explicit WeightsPlayer(bool subtract) : subtract_(subtract) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<WeightsPlayer>(subtract_);
    }

  private:
    void start(const Question& question) override;
    Decision choose(const Question& question) override;
    void follow();
    void assess(std::int32_t clue);
    void weigh();
    void pick(std::int32_t cell);
    void sort();
    void pick_heaviest(std::int64_t flags);
    void pick_one_by_one(std::int64_t flags);
    std::int32_t heaviest_waiting() const;
    void take_mine(std::int32_t cell);
    Decision move_flags() const;
    std::int32_t lightest() const;
    std::int32_t away_from_clues() const;

    bool is_unknown(std::int32_t cell) const {
        const auto code = clues().codes()[at(cell)];
        return code == cell::closed || code == cell::flagged;
    }
    double compare(std::int32_t one, std::int32_t other) const;

    bool subtract_;
    bool unreliable_ = false;  // whether the channel shows clues that may be wrong

    // By clue: the mines left and the unknown cells around it, and what each of these gets a turn.
    std::vector<std::int8_t> left_, unknown_;
    std::vector<double> share_;

    std::vector<double> weight_;       // by cell
    CellSet heavy_, light_;            // unknown cells that have some weight; other closed cells
    std::vector<std::int32_t> order_;  // of the heavy cells at the last decision, heaviest first

    std::vector<std::int32_t> picked_;  // the cells to flag, in this order
    CellSet is_picked_;

    // While cells are picked one by one.
    std::vector<std::int8_t> left_now_, unknown_now_;
    std::vector<double> share_now_;
    std::vector<std::int32_t> waiting_;  // heavy cells
    std::vector<double> waits_;          // by cell: 1 if it is one of these, to save branches
    CellSet light_waiting_;
};

}  // namespace mineproof
