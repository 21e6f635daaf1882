// The layouts of a counted component by the mines among some marked cells, from its tables.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "counting/layouts.hpp"

namespace mineproof {

// Cells of a box that are looked at: how many are counted, and how many must be free.
struct Marked {
    std::int32_t box;
    std::int32_t counted = 0;
    std::int32_t free = 0;
};

// Evaluates the circuit of a component again, with weights that are polynomials in the mines among
// marked cells. Only the tables that contain marked boxes are evaluated; the others are as counted.
class MarkedTotals {
  public:
    // The layouts must outlive this.
    explicit MarkedTotals(const Layouts& layouts);

    // The weight of the layouts in which the free cells are free, relative to `unit()`, as
    // `result[i * (counted + 1) + k]`: with `layouts.total().fewest + i` mines in total, k of them
    // counted. Every box may be marked once. The result is valid until the next call.
    std::span<const double> count(std::span<const Marked> marked);
    // The same weights, not relative to anything.
    std::vector<Wide> weigh(std::span<const Marked> marked);

    // The largest weight of `layouts.total()`.
    Wide unit() const { return unit_; }

  private:
    template <class Value>
    struct Lines;
    template <class Take>
    void evaluate(std::span<const Marked> marked, Take take);
    void mark_tables(std::span<const Marked> marked);
    std::size_t place_tables();

    const Layouts& layouts_;
    Wide unit_;
    std::vector<std::int32_t> table_of_box_, parent_;
    std::vector<std::int32_t> affected_;  // tables in order
    std::vector<std::int64_t> shift_;     // by table: from its weights to `values_`, or -1
    std::tuple<std::vector<double>, std::vector<Wide>> values_;
    std::vector<double> result_;
};

}  // namespace mineproof
