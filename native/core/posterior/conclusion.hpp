// What follows from counted components and what is outside them: risks of boxes and of the
// interior.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "posterior/combination.hpp"
#include "posterior/outside.hpp"

namespace mineproof {

// A risk is 0 or 1 only if it is certain, by logic and not by rounding.
struct Conclusion {
    std::vector<double> box_risk;      // of the boxes of all parts, one part after the other
    double interior_risk = 0.0;        // 0 if there is no interior
    PolynomialOf<double> boxed_mines;  // the chance of each number of mines in all boxes
    double log_weight = 0.0;           // natural logarithm of the weight of all layouts
};

// Concludes from one position after the other, in memory that it keeps.
class Concluder {
  public:
    // Null if no layout fits. Valid until the next call.
    const Conclusion* conclude(Parts parts, const Outside& outside);

  private:
    friend std::optional<Conclusion> conclude(Parts parts, const Outside& outside);

    Combination combination_;
    BoxValues values_;
    Conclusion result_;
};

// Nothing if no layout fits.
std::optional<Conclusion> conclude(Parts parts, const Outside& outside);

// The risk of an uncertain cell is never 0 or 1, even if it rounds to that.
double uncertain(double risk);

}  // namespace mineproof
