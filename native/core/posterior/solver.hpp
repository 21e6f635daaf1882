// Answers one question after the other, and follows a game from position to position.
#pragma once

#include <optional>

#include "counting/layout_cache.hpp"
#include "posterior/position.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

// Answers are the same as those of a fresh posterior. Not for several threads at once.
class Solver {
  public:
    // Throws like the constructor of Posterior.
    Posterior infer(Question question, Budget budget, Precision precision);

  private:
    bool follow(const Question& question);

    LayoutCache cache_;
    std::optional<Position> position_;  // of the last question
};

}  // namespace mineproof
