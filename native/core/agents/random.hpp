// Opens any closed cell.
#pragma once

#include <memory>

#include "agents/clues.hpp"

namespace mineproof {

class RandomPlayer : public CluePlayer {
  public:
    std::unique_ptr<Player> clone() const override { return std::make_unique<RandomPlayer>(); }

  private:
    Decision choose(const Question&) override {
        if (clues().openable().empty()) return {};
        return clues().guess(random(), "a random closed cell");
    }
};

}  // namespace mineproof
