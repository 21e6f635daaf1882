// Combines the components with what is outside them: how the mines are shared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "counting/layouts.hpp"
#include "counting/product_tree.hpp"
#include "posterior/outside.hpp"

namespace mineproof {

using Parts = std::span<const std::shared_ptr<const Layouts>>;

class Combination {
  public:
    using Totals = std::vector<PolynomialOf<Wide>>;

    Combination() = default;
    Combination(Parts parts, const Outside& outside) { combine(parts, outside); }
    Combination(Totals totals, const Outside& outside) : totals_(std::move(totals)) {
        combine(totals_, outside);
    }

    // Combines these parts, in the memory of the last ones.
    void combine(Parts parts, const Outside& outside);

    static Totals totals_of(Parts parts);

    // Whether some layout fits.
    bool fits() const { return fits_; }
    // Chances of each number of mines in all parts together.
    const PolynomialOf<double>& mines() const { return mines_; }
    // Natural logarithm of the total weight.
    double log_weight() const { return log_weight_; }
    // Whether a weight of zero proves that there is no such layout.
    bool zeros_are_proofs() const { return zeros_are_proofs_; }

    // The weight of everything else by the mines of a part, aligned with its total.
    std::span<const Wide> around(std::size_t part) const { return tree_.around(part); }

    // The mines of each part in a random layout with `mines` mines in all parts.
    void draw(std::int64_t mines, Random& random, std::span<std::int64_t> part_mines) const {
        tree_.draw(mines, random, part_mines);
    }

  private:
    void combine(std::span<PolynomialOf<Wide>> totals, const Outside& outside);
    // Returns false if something was cut that matters.
    bool multiply(std::span<const PolynomialOf<Wide>> totals, std::int64_t fewest,
                  const Outside& outside, bool may_trim);

    Totals totals_;  // there may be more than are used
    ProductTree<WideRing> tree_;
    std::vector<Wide> outside_;  // weights by mines of all parts
    double log_tilt_ = 0.0;
    PolynomialOf<double> mines_;
    double log_weight_ = 0.0;
    bool fits_ = false;
    bool zeros_are_proofs_ = true;
};

// The totals of parts and the weight of what is outside them, by mines of all parts. Long ones are
// tilted: multiplied by a power of a weight per mine, and the outside by its inverse, so that the
// numbers of mines that matter are near the largest weight.
struct TiltedTotals {
    std::vector<PolynomialOf<Wide>> totals;
    PolynomialOf<Wide> outside;
};

TiltedTotals tilted_totals(Parts parts, const Outside& outside);

// What is possible, by logic alone.
struct Possibility {
    PolynomialOf<std::uint8_t> mines;               // possible numbers of mines in all boxes
    std::vector<std::vector<std::uint8_t>> totals;  // by component: its possible totals
};

Possibility possibility(Parts parts, const Outside& outside);

}  // namespace mineproof
