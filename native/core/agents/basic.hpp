// Counts around one clue at a time, and otherwise opens a random cell.
#pragma once

#include <memory>

#include "agents/clues.hpp"

namespace mineproof {

class BasicPlayer : public CluePlayer {
  public:
    // Whether the rule for safe cells takes every cell to have 8 neighbours.
    explicit BasicPlayer(bool eight) : CluePlayer(eight ? max_degree : 0), eight_(eight) {}

    std::unique_ptr<Player> clone() const override { return std::make_unique<BasicPlayer>(eight_); }

  private:
    Decision choose(const Question&) override {
        if (auto safe = clues().open_known_safe()) return *safe;
        if (auto settled = clues().settle_first()) return *settled;
        return clues().guess(random(), "no single clue settles a cell");
    }

    bool eight_;
};

}  // namespace mineproof
