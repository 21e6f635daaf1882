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

// What a closed cell and its neighbours are, if the cell is safe.
struct Around {
    struct Look {
        std::int32_t component;
        Marked marked;
    };

    // `places` is valid for boxed cells.
    void look(const Topology& topology, std::span<const Knowledge> knowledge,
              std::span<const BoxPlace> places, std::int32_t cell);

    // Calls `use(component, marked)` for every component that has some of the cells.
    template <class Use>
    void for_each_component(Use use) const {
        std::array<Marked, max_degree + 1> marked;
        for (auto look = boxed.begin(); look != boxed.end();) {
            const auto component = look->component;
            std::size_t boxes = 0;
            for (; look != boxed.end() && look->component == component; ++look)
                marked[boxes++] = look->marked;
            use(static_cast<std::size_t>(component), std::span(marked).first(boxes));
        }
    }

    std::vector<Look> boxed;  // by component
    int known = 0;            // known mines among the neighbours
    int interior = 0;         // neighbours in the interior
    int own = 0;              // whether the cell itself is in the interior

  private:
    void look_at(BoxPlace place, int counted, int free);
};

// The weights of a number of mines in components, then of counted mines.
template <class Value>
struct CountedWeights {
    std::int64_t fewest = 0;
    std::size_t width = 1;
    std::vector<Value> values;

    std::size_t length() const { return values.size() / width; }
};

// The weight of every true count of a cell that may be safe, without a limit on its range. The
// cells around it are not part of the interior outside.
std::array<Wide, max_degree + 1> weigh_counts(const Around& around, Parts parts,
                                              const Outside& outside);

class CountChances {
  public:
    // `places` is valid for boxed cells. Some layout must fit. All arguments must outlive this.
    CountChances(const Topology& topology, std::span<const Knowledge> knowledge,
                 std::span<const BoxPlace> places, Parts parts, const Outside& outside);

    // The chances that the closed cell is safe and has each number of mines around it.
    ByCount of(std::int32_t cell);

  private:
    // What is outside some parts: the product of the others, and its weights with the interior.
    struct Rest {
        PolynomialOf<double> others;
        std::int64_t own_fewest = 0;
        std::size_t own_length = 1;
        // By number of counted and free interior cells.
        std::array<std::array<std::vector<double>, 2>, max_degree + 1> around;
    };

    CountedWeights<double> weigh_boxed();
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
    Around around_;
    std::vector<std::int32_t> touched_;
};

}  // namespace mineproof
