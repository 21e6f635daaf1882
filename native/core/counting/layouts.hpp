// The layouts of one component, counted with their weights: for every number of mines in it.
//
// A table holds a state per combination of partial sums, and a state a polynomial: the weight of
// the ways to reach it, by mines used. Steps of the plan lead from table to table by moves. The
// moves are kept, so the same circuit answers forwards (weights), backwards (chances), downwards
// (samples) and in other arithmetics (whole numbers modulo a prime).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "board/random.hpp"
#include "counting/frontier.hpp"
#include "counting/plan.hpp"
#include "counting/rings.hpp"
#include "counting/wide.hpp"

namespace mineproof {

// What exact counting may spend on one question.
struct Budget {
    std::int64_t nodes = 500'000'000;            // products of weights
    std::int64_t bytes = std::int64_t{1} << 30;  // memory for states, moves and weights
};

// Weights by number of mines: `weight[i]` belongs to `fewest + i` mines.
template <class Value>
struct PolynomialOf {
    std::int64_t fewest = 0;
    std::vector<Value> weight;

    std::int64_t most() const { return fewest + static_cast<std::int64_t>(weight.size()) - 1; }
};

// Chances are kept for every number of mines that a box may hold.
inline constexpr std::size_t values_per_box = max_degree + 1;

// The mean share of a box's cells that are mined.
inline double mean_share(std::span<const double> chances, int size) {
    double mines = 0.0;
    for (int k = 0; k <= size; ++k)
        mines += k * chances[static_cast<std::size_t>(k)];
    return mines / size;
}

class Layouts {
  public:
    // Nothing, and nothing taken from the budget, if it does not suffice.
    static std::optional<Layouts> count(const Component& component, const Plan& plan,
                                        Budget& budget);

    bool possible() const { return !roots_.empty(); }

    // The weight of all layouts by mines.
    const PolynomialOf<Wide>& total() const { return total_; }

    // For a component with a probe: the total apart by the mines around the probe.
    struct ProbeTotal {
        int mines;
        PolynomialOf<Wide> total;
    };
    std::vector<ProbeTotal> probe_totals() const;

    // Given the weight of everything outside by mines inside (aligned with `total()`), the chance
    // of every value of every box: `value[values_per_box * box + mines]`. What can be is never
    // rounded to zero.
    std::vector<double> box_values(std::span<const Wide> outside) const;

    // Whether each value of each box occurs in a layout with one of the totals marked `allowed`.
    std::vector<std::uint8_t> box_support(std::span<const std::uint8_t> allowed) const;
    // Which totals occur, aligned with `total()`.
    std::vector<std::uint8_t> total_support() const;

    // Bits that suffice for the number of layouts with any number of mines.
    int count_bits() const;
    // How many layouts there are by mines, modulo a prime below 2^31; weights only say which.
    std::vector<std::uint64_t> counts_modulo(std::uint64_t prime) const;

    std::size_t bytes() const;
    // What counting it takes: the cost and width it was planned at, and the nodes it spent, which
    // are the same whenever it is counted.
    double planned_cost() const { return planned_cost_; }
    int planned_width() const { return planned_width_; }
    std::int64_t nodes_spent() const { return nodes_spent_; }
    // Takes from the budget what counting takes, or nothing if it does not suffice.
    bool charge(Budget& budget) const;

  private:
    friend class LayoutSampler;
    template <class Key>
    class Builder;
    void add_up();

    struct State {
        std::uint32_t offset;  // its polynomial among the weights
        std::int32_t fewest;
        std::int32_t length;
    };
    // From a state of the left table, with the mines of a box or a state of the right one. The
    // weight is a Wide in two pieces, which keeps a move small.
    struct Move {
        std::int32_t left, right, out;
        std::int32_t weight_exponent;
        double weight_mantissa;

        Wide weight() const { return {weight_mantissa, weight_exponent}; }
    };
    struct Stage {
        std::int32_t left, right, box;  // as in Step
        std::uint32_t state_begin, state_end;
        std::size_t move_begin, move_end;
    };

    template <class Ring>
    void forward(const Stage& stage, const Ring& ring, typename Ring::Value* values) const;
    template <class Ring>
    std::vector<typename Ring::Value> forward_all(const Ring& ring) const;
    template <class Ring, class See>
    void backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                  std::vector<typename Ring::Value>& back, See see) const;
    template <class Value>
    std::vector<Value> at_roots(std::span<const Value> by_total) const;
    template <class Value>
    std::vector<Value> by_total(std::span<const Value> values, auto add) const;
    std::span<const Move> moves_of(const Stage& stage) const {
        return std::span(moves_).subspan(stage.move_begin, stage.move_end - stage.move_begin);
    }
    // Calls `use(ring, weights)` with the arithmetic that the weights are in.
    template <class Use>
    auto with_weights(Use use) const {
        return wide_ ? use(WideRing{}, std::span(wide_weights_))
                     : use(RealRing{}, std::span(weights_));
    }
    Wide weight_at(std::size_t index) const {
        return wide_ ? wide_weights_[index] : Wide::of(weights_[index]);
    }
    template <class Ring>
    std::vector<double> box_values_in(const Ring& ring, std::span<const typename Ring::Value> ahead,
                                      std::span<const typename Ring::Value> outside) const;

    // A state of the last table: one, or one per count of the probe.
    struct Root {
        std::int32_t state;
        int probe_mines;
    };

    std::vector<std::uint8_t> box_size_;
    std::vector<Stage> stages_;
    std::vector<State> states_;  // the first is the empty table's only state
    std::vector<Move> moves_;
    std::vector<double> weights_;     // one of these is in use,
    std::vector<Wide> wide_weights_;  // as `wide_` says
    std::size_t weight_count_ = 0;
    std::vector<Root> roots_;
    PolynomialOf<Wide> total_;
    double planned_cost_ = 0.0;
    int planned_width_ = 0;
    std::int64_t nodes_spent_ = 0;
    std::int64_t peak_bytes_ = 0;  // while it was counted
    double span_bits_ = 0.0;       // between the least and the greatest weight, at most
    bool wide_ = false;
    bool weights_are_counts_ = true;  // every clue is exact
};

// The weights of one table from those of the tables it is made of, in any arithmetic.
template <class Ring>
void Layouts::forward(const Stage& stage, const Ring& ring, typename Ring::Value* values) const {
    for (const auto& move : moves_of(stage)) {
        const auto& left = states_[static_cast<std::size_t>(move.left)];
        const auto& out = states_[static_cast<std::size_t>(move.out)];
        const auto* from = values + left.offset;
        if (stage.box >= 0) {
            const int size = box_size_[static_cast<std::size_t>(stage.box)];
            const auto factor = ring.box_factor(move.weight(), size, move.right);
            auto* to = values + out.offset + (left.fewest + move.right - out.fewest);
            for (std::int32_t a = 0; a < left.length; ++a)
                to[a] = ring.add_product(to[a], factor, from[a]);
            continue;
        }
        const auto& right = states_[static_cast<std::size_t>(move.right)];
        const auto* with = values + right.offset;
        for (std::int32_t a = 0; a < left.length; ++a) {
            const auto factor = ring.product(ring.from_weight(move.weight()), from[a]);
            auto* to = values + out.offset + (left.fewest + a + right.fewest - out.fewest);
            for (std::int32_t b = 0; b < right.length; ++b)
                to[b] = ring.add_product(to[b], factor, with[b]);
        }
    }
    if constexpr (requires { ring.complete(values[0]); }) {
        if (stage.state_begin == stage.state_end) return;
        const auto& first = states_[stage.state_begin];
        const auto& last = states_[stage.state_end - 1];
        const auto end = last.offset + static_cast<std::size_t>(last.length);
        for (std::size_t i = first.offset; i < end; ++i)
            values[i] = ring.complete(values[i]);
    }
}

// Draws layouts of a component at random, by their weights.
class LayoutSampler {
  public:
    explicit LayoutSampler(const Layouts& layouts);

    // The mines of every box in a layout with `mines` of them in all.
    void draw(std::int64_t mines, Random& random, std::span<std::uint8_t> box_mines) const;

  private:
    const Layouts& layouts_;
    std::vector<std::size_t> first_;    // where the moves into a state start in order_
    std::vector<std::uint32_t> order_;  // moves by the state they lead to
};

}  // namespace mineproof
