// How the cells beyond the frontier and the prior affect the mines of the frontier.
#pragma once

#include <array>
#include <cstdint>

#include "counting/evidence.hpp"
#include "counting/frontier.hpp"
#include "counting/layouts.hpp"

namespace mineproof {

// Every answer is a function of m, the number of mines in the frontier's boxes. G(m) is the weight
// of all ways to fill the rest of the board.
class Outside {
  public:
    Outside(const Evidence& evidence, const Frontier& frontier)
        : Outside(evidence.prior, frontier.interior(), frontier.known_mines(),
                  static_cast<std::int64_t>(evidence.cells.size())) {}
    // From the number of interior cells, of known mines, and of all cells.
    Outside(const Prior& prior, std::int64_t interior, std::int64_t known_mines,
            std::int64_t cells);

    // The range of m in which G is not zero.
    std::int64_t fewest() const { return fewest_; }
    std::int64_t most() const { return most_; }

    // G(m + 1) / G(m), if both m and m + 1 are in range.
    double ratio(double mines) const;
    // ln G(m), up to a constant.
    double log_weight(std::int64_t mines) const;
    // A first guess at the odds that an unknown cell is mined.
    double odds() const;

    std::int64_t interior() const { return interior_; }
    // The chance that an interior cell is mined.
    double interior_risk(std::int64_t mines) const;
    // The same, given the chance of each number of mines.
    double interior_risk(const PolynomialOf<double>& mines) const;
    // The chances that each number of `counted` interior cells is mined, and `free` others are
    // not. Both together are at most the interior, and at most max_degree + 1.
    std::array<double, max_degree + 1> interior_chances(std::int64_t mines, int counted,
                                                        int free) const;
    // The chance of each number of mines in the interior.
    PolynomialOf<double> interior_mines(std::int64_t mines) const;

  private:
    Prior prior_;
    std::int64_t interior_;  // cells beyond the frontier
    std::int64_t known_;     // known mines
    std::int64_t left_;      // mines left for frontier and interior, if the total is known
    std::int64_t others_;    // cells of the board that are not interior
    std::int64_t fewest_ = 0;
    std::int64_t most_;
};

}  // namespace mineproof
