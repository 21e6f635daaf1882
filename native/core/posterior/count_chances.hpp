// The chances of every true count of every closed cell, all from the same counted tables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board/topology.hpp"
#include "counting/components.hpp"
#include "counting/marked_totals.hpp"
#include "posterior/combination.hpp"
#include "posterior/outside.hpp"

namespace mineproof {

using ByCount = std::array<double, max_degree + 1>;

class CountChances {
  public:
    // `places` is valid for boxed cells. Some layout must fit. All arguments must outlive this.
    CountChances(const Topology& topology, std::span<const Knowledge> knowledge,
                 std::span<const BoxPlace> places, Parts parts, const Outside& outside);

    // The chances that the closed cell is safe and has each number of mines around it.
    ByCount of(std::int32_t cell);

  private:
    // Weights by mines, then by counted mines.
    struct Weights {
        std::int64_t fewest = 0;
        std::size_t width = 1;
        std::vector<double> values{1.0};

        std::size_t length() const { return values.size() / width; }
    };
    // What is outside some parts: the product of the others, and its weights with the interior.
    struct Rest {
        PolynomialOf<double> others;
        std::int64_t own_fewest = 0;
        std::size_t own_length = 1;
        // By number of counted and free interior cells.
        std::array<std::array<std::vector<double>, 2>, max_degree + 1> around;
    };
    struct Look {
        std::int32_t component;
        Marked marked;
    };

    void look_at(std::int32_t cell, int counted, int free);
    Weights weigh_looks();
    Rest& rest_of(const std::vector<std::int32_t>& components);
    const std::vector<double>& around(Rest& rest, int counted, int free);
    double weight_outside(std::int64_t mines) const;

    const Topology& topology_;
    std::span<const Knowledge> knowledge_;
    std::span<const BoxPlace> places_;
    Parts parts_;
    const Outside& outside_;
    std::vector<PolynomialOf<double>> totals_;  // of the parts, each relative to its largest weight
    PolynomialOf<double> outside_weight_;       // by mines of all parts
    double all_ = 0.0;                          // the weight of all layouts
    std::vector<std::unique_ptr<MarkedTotals>> marked_totals_;
    std::map<std::vector<std::int32_t>, Rest> rests_;
    std::vector<Look> looks_;
    std::vector<Marked> marked_;
    std::vector<std::int32_t> touched_;
};

}  // namespace mineproof
