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
    // Nothing if no layout fits. It does not look for the reason, which takes far longer. Throws
    // BudgetExceeded.
    std::optional<Posterior> infer_if_possible(Question question, Budget budget,
                                               Precision precision);
    // Whether some layout fits. Throws BudgetExceeded.
    bool fits(Question question, Budget budget);

  private:
    void move_to(const Question& question, Budget budget);
    bool follow(const Question& question);

    LayoutCache cache_;
    std::optional<Position> position_;  // of the last question
};

}  // namespace mineproof
