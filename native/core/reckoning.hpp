// Components and what lies outside them, brought together: how the mines are shared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "layouts.hpp"
#include "outside.hpp"
#include "totals.hpp"

namespace mineproof {

using Parts = std::span<const std::shared_ptr<const Layouts>>;

// Keeps a view of the parts: they must outlive it.
class Reckoning {
  public:
    Reckoning(Parts parts, const Outside& outside);

    // Whether some layout fits, as far as the range of numbers can tell.
    bool fits() const { return fits_; }
    // Chances by mines in all parts together.
    const Polynomial& mines() const { return mines_; }
    // Natural logarithm of the weight of everything.
    double log_weight() const { return log_weight_; }
    // Whether a zero among weights and values proves that there is no such layout.
    bool zeros_are_proofs() const { return zeros_are_proofs_; }

    // By part: the weight of everything else by the part's mines, aligned with its total and each
    // on a scale of its own.
    std::vector<std::vector<double>> around_parts() const;

    // The mines of each part in a random layout with `mines` of them in all.
    void draw(std::int64_t mines, Random& random, std::span<std::int64_t> part_mines) const {
        tree_.draw(mines, random, part_mines);
    }

  private:
    struct Tilted;
    Reckoning(Parts parts, const Outside& outside, const Tilted& tilted);

    Parts parts_;
    ProductTree<RealRing> tree_;
    double log_tilt_;
    std::vector<double> around_;  // weight of the outside by mines in all parts
    Polynomial mines_;
    double log_weight_ = 0.0;
    bool fits_ = false;
    bool zeros_are_proofs_ = false;
};

// What can be at all, by logic alone.
struct Possibility {
    bool any = false;                               // some layout fits
    PolynomialOf<std::uint8_t> mines;               // numbers of mines in all boxes that occur
    std::vector<std::vector<std::uint8_t>> totals;  // by component: its totals that occur
};

Possibility possibility(Parts parts, const Outside& outside);

}  // namespace mineproof
