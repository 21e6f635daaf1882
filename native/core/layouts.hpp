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

#include "elimination.hpp"
#include "frontier.hpp"
#include "random.hpp"

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
using Polynomial = PolynomialOf<double>;

class Layouts {
  public:
    // Nothing if the budget does not suffice; what was spent is taken from it either way.
    // `odds` is a guess at what a mine weighs; it matters for the range of numbers only.
    static std::optional<Layouts> count(const Component& component, const Plan& plan,
                                        Budget& budget, double odds);

    // Thins every table to about `states` states at random, so that all weights keep their
    // expectation: an unbiased estimate. `odds` also decides what is likely enough to keep.
    static std::optional<Layouts> estimate(const Component& component, const Plan& plan,
                                           Budget& budget, std::size_t states, double odds,
                                           Random& random);

    bool possible() const { return !roots_.empty(); }

    // The weight of all layouts by mines, up to the factor exp(log_scale()).
    const Polynomial& total() const { return total_; }
    double log_scale() const { return log_scale_; }
    // Components too large for plain doubles weigh a mine by exp(log_tilt()), so that the weights
    // that matter are the large ones. It is 0 for all others.
    double log_tilt() const { return log_tilt_; }

    // For a component with a probe: the total apart by the mines around the probe.
    struct ProbeTotal {
        int mines;
        Polynomial total;
    };
    std::vector<ProbeTotal> probe_totals() const;

    // Bits that the weights may span. Within a double's range a weight of zero means that there is
    // no such layout; beyond it, it may have been lost.
    double span_bits() const { return span_bits_; }

    // Given the weight of everything outside by mines inside (aligned with `total()`), the weight
    // of every value of every box. `value[9 * box + mines]`, each box on a scale of its own.
    std::vector<double> box_values(std::span<const double> outside) const;

    // Whether each value of each box occurs in a layout with one of the totals marked `allowed`.
    std::vector<std::uint8_t> box_support(std::span<const std::uint8_t> allowed) const;
    // Which totals occur, aligned with `total()`.
    std::vector<std::uint8_t> total_support() const;

    // How many layouts there are by mines, modulo a prime below 2^31; weights only say which.
    std::vector<std::uint64_t> counts_modulo(std::uint64_t prime) const;

    std::size_t bytes() const;

  private:
    friend class LayoutSampler;
    struct Thinning;
    template <class Key>
    class Builder;
    static std::optional<Layouts> build(const Component& component, const Plan& plan,
                                        Budget& budget, double odds, const Thinning* thinning);
    void add_up();

    struct State {
        std::uint32_t offset;  // its polynomial in `weights_`
        std::int32_t fewest;
        std::int32_t length;
    };
    // From a state of the left table, with the mines of a box or a state of the right one.
    struct Move {
        std::int32_t left, right, out;
        double weight;
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
    template <class Ring, class See, class Done>
    void backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                  std::vector<typename Ring::Value>& back, See see, Done table_done) const;
    template <class Value>
    std::vector<Value> at_roots(std::span<const Value> by_total) const;
    template <class Value>
    std::vector<Value> by_total(std::span<const Value> values, auto add) const;
    std::span<const Move> moves_of(const Stage& stage) const {
        return std::span(moves_).subspan(stage.move_begin, stage.move_end - stage.move_begin);
    }
    bool scaled() const;

    // A state of the last table: one, or one per count of the probe.
    struct Root {
        std::int32_t state;
        int probe_mines;
    };

    std::vector<std::uint8_t> box_size_;
    std::vector<Stage> stages_;
    std::vector<State> states_;  // the first is the empty table's only state
    std::vector<Move> moves_;
    std::vector<double> weights_;
    std::vector<Root> roots_;
    Polynomial total_;
    double log_scale_ = 0.0;
    double log_tilt_ = 0.0;
    double span_bits_ = 0.0;
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
            const auto factor = ring.box_factor(move.weight, size, move.right);
            auto* to = values + out.offset + (left.fewest + move.right - out.fewest);
            for (std::int32_t a = 0; a < left.length; ++a)
                to[a] = ring.add_product(to[a], factor, from[a]);
            continue;
        }
        const auto& right = states_[static_cast<std::size_t>(move.right)];
        const auto* with = values + right.offset;
        for (std::int32_t a = 0; a < left.length; ++a) {
            const auto factor = ring.times_weight(move.weight, from[a]);
            auto* to = values + out.offset + (left.fewest + a + right.fewest - out.fewest);
            for (std::int32_t b = 0; b < right.length; ++b)
                to[b] = ring.add_product(to[b], factor, with[b]);
        }
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
