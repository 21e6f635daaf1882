// The layouts of one component, counted with their weights for every number of mines.
//
// A table has one state per combination of partial sums of its open clues. A state has a
// polynomial: the weight of all ways to reach it, by number of mines. Each stage of the plan makes
// a table from earlier ones by transitions between states. The transitions are stored, so the same
// circuit can be evaluated forwards (weights), backwards (chances), from the last table down
// (samples) and in other arithmetics (whole numbers modulo a prime).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "board/checkpoint.hpp"
#include "board/random.hpp"
#include "counting/frontier.hpp"
#include "counting/plan.hpp"
#include "counting/rings.hpp"
#include "counting/wide.hpp"

namespace mineproof {

// What exact counting may spend on one question.
struct Budget {
    std::int64_t nodes = 500'000'000;            // products of weights
    std::int64_t bytes = std::int64_t{1} << 30;  // memory for states, transitions and weights
};

// Weights by number of mines: `weight[i]` is the weight of `fewest + i` mines.
template <class Value>
struct PolynomialOf {
    std::int64_t fewest = 0;
    std::vector<Value> weight;

    std::int64_t most() const { return fewest + static_cast<std::int64_t>(weight.size()) - 1; }
};

// There is one chance for every number of mines that a box may hold.
inline constexpr std::size_t values_per_box = max_degree + 1;

template <class Value>
std::span<const Value> values_of(const std::vector<Value>& values, std::size_t box) {
    return std::span(values).subspan(box * values_per_box, values_per_box);
}

// The expected share of mines among the cells of a box.
inline double mean_share(std::span<const double> chances, int size) {
    double mines = 0.0;
    for (int k = 0; k <= size; ++k)
        mines += k * chances[static_cast<std::size_t>(k)];
    return mines / size;
}

// What is possible for the cells of a box.
struct BoxRange {
    bool mine = false;  // some cell may be mined
    bool free = false;  // some cell may be free

    bool certain() const { return mine != free; }
    void allow(int mines, int size) {
        mine = mine || mines > 0;
        free = free || mines < size;
    }
};

// The chances of every number of mines in every box of a component, as
// `chances[values_per_box * box + mines]`. Keeps the memory that it takes to find them.
struct BoxValues {
    template <class Value>
    struct Pass {
        std::vector<Value> back, values;
    };

    std::vector<double> chances;
    std::vector<double> outside;
    std::tuple<Pass<double>, Pass<Wide>> passes;
};

class Layouts {
  public:
    // Returns nothing and leaves the budget as it was if the budget does not suffice.
    static std::optional<Layouts> count(const Component& component, const Plan& plan,
                                        Budget& budget);

    bool possible() const { return !total_.weight.empty(); }

    std::size_t boxes() const { return box_size_.size(); }
    int box_size(std::size_t box) const { return box_size_[box]; }

    // The weight of all layouts by number of mines.
    const PolynomialOf<Wide>& total() const { return total_; }

    // `outside` is the weight of everything else by mines of the component, aligned with `total()`.
    // A chance that is possible is never rounded to zero.
    void box_values(std::span<const Wide> outside, BoxValues& result) const;
    std::vector<double> box_values(std::span<const Wide> outside) const {
        BoxValues result;
        box_values(outside, result);
        return std::move(result.chances);
    }

    // Whether each number of mines in each box is possible in a layout with an `allowed` total.
    std::vector<std::uint8_t> box_support(std::span<const std::uint8_t> allowed) const;
    // What is possible in every box if every total is.
    std::vector<BoxRange> find_box_ranges() const;
    // The same, kept by the first call, which must not run in two threads at once.
    const std::vector<BoxRange>& box_ranges() const {
        if (box_ranges_.empty()) box_ranges_ = find_box_ranges();
        return box_ranges_;
    }
    // Which totals are possible, aligned with `total()`.
    std::vector<std::uint8_t> total_support() const;

    // The number of layouts by mines, and of all, to nearly the precision of a double. Weights only
    // tell whether a layout is possible.
    PolynomialOf<Wide> counts() const;
    Wide count_all() const;
    // A number of bits that is enough for the number of layouts.
    int count_bits() const;
    // The number of layouts by mines, modulo a prime below 2^31. Weights only tell whether a layout
    // is possible.
    std::vector<std::uint64_t> counts_modulo(std::uint64_t prime) const;

    std::size_t bytes() const;
    // The planned cost and width, and the nodes that counting took. Counting the same component
    // again always takes the same.
    double planned_cost() const { return planned_cost_; }
    int planned_width() const { return planned_width_; }
    std::int64_t nodes_spent() const { return nodes_spent_; }
    std::int64_t peak_bytes() const { return peak_bytes_; }
    // Subtracts what counting took. Returns false and leaves the budget as it was if it does not
    // suffice.
    bool charge(Budget& budget) const;

  private:
    friend class ComponentSampler;
    friend class MarkedTotals;
    template <class Key>
    class Builder;
    void add_up();

    struct State {
        std::uint32_t offset;  // where its polynomial starts in the weights
        std::int32_t fewest;
        std::int32_t length;
    };
    // From a state of the left table, with a number of mines of a box or with a state of the right
    // table. The weight is a Wide in two members, which makes a transition smaller.
    struct Transition {
        std::int32_t left, right, out;
        std::int32_t weight_exponent;
        double weight_mantissa;

        Wide weight() const { return {weight_mantissa, weight_exponent}; }
    };
    struct Table {
        std::int32_t left, right, box;  // as in Stage
        std::uint32_t state_begin, state_end;
        std::size_t transition_begin, transition_end;
    };

    // Where the weights of a state are: in one list for all tables.
    template <class Value>
    struct Line {
        Value* values;

        const Value* from(std::int32_t, const State& state) const { return values + state.offset; }
        Value* to(const State& state) const { return values + state.offset; }
    };
    template <class Ring, class Lines>
    void forward(const Table& table, const Ring& ring, const Lines& lines) const;
    template <class Ring>
    std::vector<typename Ring::Value> forward_all(const Ring& ring) const;
    template <class Ring, class See>
    void backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                  std::vector<typename Ring::Value>& back, See see) const;
    // The only state of the last table, in which every clue is closed.
    const State& root() const { return states_.back(); }
    template <class Value>
    void put_at_root(std::span<const Value> by_total, std::vector<Value>& back) const;
    template <class Value>
    std::vector<Value> by_total(const std::vector<Value>& values) const;
    std::span<const Transition> transitions_of(const Table& table) const {
        return std::span(transitions_)
            .subspan(table.transition_begin, table.transition_end - table.transition_begin);
    }
    // Calls `use(ring, weights)` with the arithmetic of the weights.
    template <class Use>
    auto with_weights(Use use) const {
        return wide_ ? use(WideRing{}, std::span(wide_weights_))
                     : use(RealRing{}, std::span(weights_));
    }
    Wide weight_at(std::size_t index) const {
        return wide_ ? wide_weights_[index] : Wide::of(weights_[index]);
    }
    template <class Ring>
    void box_values_in(const Ring& ring, std::span<const typename Ring::Value> ahead,
                       std::span<const typename Ring::Value> outside, BoxValues& result) const;

    std::vector<std::uint8_t> box_size_;
    std::vector<Table> tables_;
    std::vector<State> states_;  // the first is the only state of the empty table
    std::vector<Transition> transitions_;
    std::vector<double> weights_;     // used unless `wide_`
    std::vector<Wide> wide_weights_;  // used if `wide_`
    std::size_t weight_count_ = 0;
    PolynomialOf<Wide> total_;
    mutable std::vector<BoxRange> box_ranges_;
    double planned_cost_ = 0.0;
    int planned_width_ = 0;
    std::int64_t nodes_spent_ = 0;
    std::int64_t peak_bytes_ = 0;  // during counting
    double span_bits_ = 0.0;       // upper bound on log2 of the ratio between weights
    bool wide_ = false;
    bool weights_are_counts_ = true;  // every clue is exact
};

// Computes the weights of one table from those of the tables that it is made of.
template <class Ring, class Lines>
void Layouts::forward(const Table& table, const Ring& ring, const Lines& lines) const {
    Work work;
    for (const auto& transition : transitions_of(table)) {
        const auto& left = states_[static_cast<std::size_t>(transition.left)];
        const auto& out = states_[static_cast<std::size_t>(transition.out)];
        const auto from = lines.from(table.left, left);
        const auto to = lines.to(out);
        if (table.box >= 0) {
            work.add(left.length);
            const int size = box_size_[static_cast<std::size_t>(table.box)];
            const auto factor = ring.box_factor(transition.weight(), size, transition.right);
            const auto first = left.fewest + transition.right - out.fewest;
            for (std::int32_t a = 0; a < left.length; ++a)
                ring.add_product(to[first + a], factor, from[a]);
            continue;
        }
        const auto& right = states_[static_cast<std::size_t>(transition.right)];
        const auto with = lines.from(table.right, right);
        const auto first = left.fewest + right.fewest - out.fewest;
        work.add(std::int64_t{left.length} * right.length);
        for (std::int32_t a = 0; a < left.length; ++a) {
            const auto factor = ring.product(ring.from_weight(transition.weight()), from[a]);
            for (std::int32_t b = 0; b < right.length; ++b)
                ring.add_product(to[first + a + b], factor, with[b]);
        }
    }
}

// Draws layouts of a component at random by their weights.
class ComponentSampler {
  public:
    explicit ComponentSampler(const Layouts& layouts);

    // The mines of every box in a layout with `mines` mines in total.
    void draw(std::int64_t mines, Random& random, std::span<std::uint8_t> box_mines) const;

  private:
    const Layouts& layouts_;
    std::vector<std::size_t> first_;    // where the transitions into a state start in order_
    std::vector<std::uint32_t> order_;  // transitions by the state they lead to
};

}  // namespace mineproof
