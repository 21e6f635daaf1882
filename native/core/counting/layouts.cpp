#include "counting/layouts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "board/index.hpp"
#include "counting/packing.hpp"
#include "counting/rings.hpp"

namespace mineproof {

namespace {

// Weights are at most 1 per choice of cells, so the cells and the smallest weights of the clues
// bound the ratio between weights.
double span_in_bits(const Component& component) {
    double bits = component.cells();
    for (const auto& clue : component.clues) {
        if (clue.fewest == clue.most) continue;
        double least = 1.0;
        for (const auto weight : clue.weight)
            if (weight > 0.0) least = std::min(least, weight);
        bits -= std::log2(least);
    }
    return bits;
}

// The overhead of a transition, in products.
constexpr std::int64_t transition_overhead = 16;
// Weights whose ratio needs no more bits fit a double, which ranges from 2^-1022 to 2^1023.
constexpr double most_bits_of_doubles = 900.0;

// The same for products of weights inside and outside a component.
constexpr double most_bits_of_products = 1000.0;

}  // namespace

std::size_t Layouts::bytes() const {
    return states_.size() * sizeof(State) + transitions_.size() * sizeof(Transition) +
           weight_count_ * (wide_ ? sizeof(Wide) : sizeof(double));
}

template <class Key>
class Layouts::Builder {
  public:
    Builder(Layouts& out, const Component& component, const Plan& plan, Budget& budget,
            Packing packing)
        : out_(out), component_(component), plan_(plan), budget_(budget), packing_(packing) {}

    // Scratch memory is kept for the next component, unless it is large.
    ~Builder() {
        constexpr std::size_t large = std::size_t{1} << 16;
        if (keys_.capacity() > large || partners_.capacity() > large) scratch_ = {};
    }

    // Returns false if the budget does not suffice.
    bool run() {
        out_.span_bits_ = span_in_bits(component_);
        out_.wide_ = out_.span_bits_ > most_bits_of_doubles;
        out_.weights_are_counts_ =
            std::all_of(component_.clues.begin(), component_.clues.end(),
                        [](const Clue& clue) { return clue.fewest == clue.most; });
        const auto boxes = component_.boxes.size();
        out_.box_size_.reserve(boxes);
        for (const auto& box : component_.boxes)
            out_.box_size_.push_back(box.size);
        out_.tables_.reserve(plan_.stages.size());
        out_.states_.reserve(4 * boxes);
        out_.transitions_.reserve(8 * boxes);
        keys_.clear();
        out_.states_.push_back({0, 0, 1});
        if (!out_.wide_) out_.weights_.reserve(8 * boxes);
        resize_weights(1);
        with_weights(
            [](auto ring, auto& weights) { weights[0] = ring.from_weight(Wide::of(1.0)); });
        keys_.push_back(Key{});
        for (const auto& stage : plan_.stages) {
            if (!build(stage)) return false;
            const auto& table = out_.tables_.back();
            if (table.state_begin == table.state_end) return true;  // no layout fits
        }
        return true;
    }

  private:
    struct Partner {
        Key key;
        std::int32_t state;
    };
    struct Scratch {
        std::vector<Key> keys;  // parallel to the states
        KeyIndex<Key> index;
        std::vector<Partner> partners;
    };
    // Called once per builder, because access to a thread-local variable of a shared library is a
    // function call.
    static Scratch& scratch() {
        static thread_local Scratch kept;
        return kept;
    }

    bool build(const Stage& stage) {
        Table table{.left = stage.left,
                    .right = stage.right,
                    .box = stage.box,
                    .state_begin = static_cast<std::uint32_t>(out_.states_.size()),
                    .state_end = 0,
                    .transition_begin = out_.transitions_.size(),
                    .transition_end = 0};
        // Step 3.1. Find the clues that close with this table.
        index_.clear();
        touches_ = plan_.touches_of(stage);
        closing_ = Key{};
        weighing_ = false;
        for (const auto& touch : touches_) {
            if (!touch.closes) continue;
            packing_.put(closing_, touch.slot, packing_.full());
            const auto& clue = component_.clues[at(touch.clue)];
            weighing_ = weighing_ || clue.fewest != clue.most;
        }
        // Step 3.2. Reach its states, by transitions from earlier tables.
        if (!(stage.box >= 0 ? take_in(stage) : join(stage))) return false;
        table.state_end = static_cast<std::uint32_t>(out_.states_.size());
        table.transition_end = out_.transitions_.size();
        out_.tables_.push_back(table);
        // Step 3.3. Weigh them.
        return weigh(table);
    }

    struct Range {
        std::int32_t begin, end;
    };
    Range states_of(std::int32_t table) const {
        if (table < 0) return {0, 1};
        const auto& s = out_.tables_[at(table)];
        return {static_cast<std::int32_t>(s.state_begin), static_cast<std::int32_t>(s.state_end)};
    }

    bool take_in(const Stage& stage) {
        const auto size = component_.boxes[at(stage.box)].size;
        Key one{};
        for (const auto& touch : touches_)
            packing_.put(one, touch.slot, 1);
        const auto range = states_of(stage.left);
        for (auto left = range.begin; left < range.end; ++left) {
            auto key = keys_[at(left)];
            int least = 0;
            int most = size;
            for (const auto& touch : touches_) {
                const int sum = packing_.get(key, touch.slot);
                least = std::max(least, touch.least - sum);
                most = std::min(most, touch.most - sum);
            }
            for (int mines = 0; mines < least; ++mines)
                key = key + one;
            for (int mines = least; mines <= most; ++mines, key = key + one)
                transition(left, mines, key, choose(size, mines), mines, mines);
            if (overspent()) return false;
        }
        return true;
    }

    bool join(const Stage& stage) {
        // Step 3.2.1. Pack the bounds of all sums, so that one subtraction compares all of them.
        Key spare{}, least{}, most{}, touched{}, exact{}, target{};
        for (const auto& touch : touches_) {
            packing_.put(spare, touch.slot, packing_.spare());
            packing_.put(touched, touch.slot, packing_.full());
            packing_.put(least, touch.slot,
                         static_cast<std::uint64_t>(std::max<int>(touch.least, 0)));
            packing_.put(most, touch.slot, static_cast<std::uint64_t>(touch.most));
            const auto& clue = component_.clues[at(touch.clue)];
            if (!touch.closes || clue.fewest != clue.most) continue;
            packing_.put(exact, touch.slot, packing_.full());
            packing_.put(target, touch.slot, static_cast<std::uint64_t>(clue.fewest));
        }
        const auto no_less = [&](const Key& a, const Key& b) {
            return (((a | spare) - b) & spare) == spare;
        };
        // Step 3.2.2. Sort the right states by the sums of clues that close with an exact sum.
        // These determine which right states match a left state.
        partners_.clear();
        const auto rights = states_of(stage.right);
        for (auto right = rights.begin; right < rights.end; ++right)
            partners_.push_back({keys_[at(right)] & exact, right});
        std::stable_sort(partners_.begin(), partners_.end(),
                         [](const Partner& a, const Partner& b) { return a.key < b.key; });
        // Step 3.2.3. Find the partners of every left state.
        const auto lefts = states_of(stage.left);
        for (auto left = lefts.begin; left < lefts.end; ++left) {
            const auto key = keys_[at(left)];
            if (!no_less(target, key & exact)) continue;
            const auto wanted = target - (key & exact);
            auto partner =
                std::lower_bound(partners_.begin(), partners_.end(), wanted,
                                 [](const Partner& p, const Key& k) { return p.key < k; });
            for (; partner != partners_.end() && partner->key == wanted; ++partner) {
                // Step 3.2.4. Keep the pairs whose sums are all within bounds.
                const auto sum = key + keys_[at(partner->state)];
                if (!no_less(most, sum & touched) || !no_less(sum & touched, least)) continue;
                const auto& state = out_.states_[at(partner->state)];
                transition(left, partner->state, sum, 1.0, state.fewest,
                           state.fewest + state.length - 1);
            }
            if (overspent()) return false;
        }
        return true;
    }

    // Adds a transition that brings `fewest` to `most` mines.
    void transition(std::int32_t left, std::int32_t right, Key key, double ways,
                    std::int32_t fewest, std::int32_t most) {
        Wide weight{ways, 0};
        if (weighing_) {
            for (const auto& touch : touches_)
                if (touch.closes)
                    weight = weight * Wide::of(component_.clues[at(touch.clue)]
                                                   .weight[at(packing_.get(key, touch.slot))]);
            if (!weight.positive()) return;
            if (!out_.wide_) weight = {ratio(weight, Wide{1.0, 0}), 0};
        }
        key = key.without(closing_);
        const auto fresh = static_cast<std::int32_t>(out_.states_.size());
        const auto out = index_.find_or_add(key, fresh);
        const auto& from = out_.states_[at(left)];
        budget_.nodes -= transition_overhead + std::int64_t{from.length} * (most - fewest + 1);
        work_.add(transition_overhead);
        fewest += from.fewest;
        most += from.fewest + from.length - 1;
        if (out == fresh) {
            out_.states_.push_back({0, fewest, most - fewest + 1});
            keys_.push_back(key);
        } else {
            auto& to = out_.states_[at(out)];
            const auto end = std::max(to.fewest + to.length, most + 1);
            to.fewest = std::min(to.fewest, fewest);
            to.length = end - to.fewest;
        }
        out_.transitions_.push_back(
            {left, right, out, static_cast<std::int32_t>(weight.exponent), weight.mantissa});
    }

    bool overspent(std::size_t more_weights = 0) {
        constexpr std::size_t most_numbered = std::numeric_limits<std::int32_t>::max();
        // Lists that grow need up to three times their size for a moment, on average half of that
        // more. Chances need the weights once more.
        const auto lists = out_.states_.size() * sizeof(State) +
                           out_.transitions_.size() * sizeof(Transition) +
                           keys_.size() * sizeof(Key);
        const auto weights =
            (out_.weight_count_ + more_weights) * (out_.wide_ ? sizeof(Wide) : sizeof(double));
        const auto bytes = lists * 3 / 2 + 2 * weights + index_.most_bytes();
        out_.peak_bytes_ = std::max(out_.peak_bytes_, static_cast<std::int64_t>(bytes));
        return budget_.nodes < 0 || out_.peak_bytes_ > budget_.bytes ||
               out_.weight_count_ + more_weights > most_numbered ||
               out_.transitions_.size() > most_numbered;
    }

    void resize_weights(std::size_t count) {
        out_.weight_count_ = count;
        with_weights([&](auto, auto& weights) { weights.resize(count); });
    }

    template <class Use>
    void with_weights(Use use) {
        out_.wide_ ? use(WideRing{}, out_.wide_weights_) : use(RealRing{}, out_.weights_);
    }

    bool weigh(const Table& table) {
        auto offset = out_.weight_count_;
        for (auto i = table.state_begin; i < table.state_end; ++i) {
            auto& state = out_.states_[i];
            state.offset = static_cast<std::uint32_t>(offset);
            offset += at(state.length);
        }
        if (overspent(offset - out_.weight_count_)) return false;
        resize_weights(offset);
        with_weights(
            [&](auto ring, auto& weights) { out_.forward(table, ring, Line{weights.data()}); });
        return true;
    }

    Layouts& out_;
    const Component& component_;
    const Plan& plan_;
    Budget& budget_;
    Packing packing_;
    Scratch& scratch_ = scratch();
    std::vector<Key>& keys_ = scratch_.keys;
    KeyIndex<Key>& index_ = scratch_.index;
    std::vector<Partner>& partners_ = scratch_.partners;
    Work work_;
    // For the stage being built:
    std::span<const Touch> touches_;
    Key closing_{};
    bool weighing_ = false;
};

std::optional<Layouts> Layouts::count(const Component& component, const Plan& plan,
                                      Budget& budget) {
    if (plan.stages.empty()) return std::nullopt;
    const auto nodes = budget.nodes;
    int largest = 1;
    for (const auto& clue : component.clues)
        largest = std::max(largest, std::min<int>(clue.most, clue.capacity));
    const Packing packing{static_cast<int>(std::bit_width(static_cast<unsigned>(largest))) + 1};
    Layouts layouts;
    const auto run = [&]<class Key>(Key) {
        return Builder<Key>(layouts, component, plan, budget, packing).run();
    };
    const int words = (plan.slots + packing.per_word() - 1) / packing.per_word();
    const bool fits = words <= 1    ? run(PackedSums<1>{})
                      : words <= 2  ? run(PackedSums<2>{})
                      : words <= 4  ? run(PackedSums<4>{})
                      : words <= 16 ? run(PackedSums<16>{})
                                    : false;
    if (!fits) {
        budget.nodes = nodes;
        return std::nullopt;
    }
    layouts.planned_cost_ = plan.cost;
    layouts.planned_width_ = plan.width();
    layouts.nodes_spent_ = nodes - budget.nodes;
    budget.bytes -= static_cast<std::int64_t>(layouts.bytes());
    layouts.add_up();
    return layouts;
}

bool Layouts::charge(Budget& budget) const {
    if (nodes_spent_ > budget.nodes || peak_bytes_ > budget.bytes) return false;
    budget.nodes -= nodes_spent_;
    budget.bytes -= static_cast<std::int64_t>(bytes());
    return true;
}

void Layouts::add_up() {
    if (tables_.back().state_begin == tables_.back().state_end) return;
    total_.fewest = root().fewest;
    total_.weight.reserve(at(root().length));
    for (std::size_t i = 0; i < at(root().length); ++i)
        total_.weight.push_back(weight_at(root().offset + i));
}

template <class Ring>
std::vector<typename Ring::Value> Layouts::forward_all(const Ring& ring) const {
    std::vector<typename Ring::Value> values(weight_count_);
    values[0] = ring.from_weight(Wide::of(1.0));
    for (const auto& table : tables_) {
        forward(table, ring, Line{values.data()});
        if constexpr (requires { ring.complete(values[0]); }) {
            const auto& last = states_[table.state_end - 1];
            const auto end = last.offset + at(last.length);
            for (std::size_t i = states_[table.state_begin].offset; i < end; ++i)
                values[i] = ring.complete(values[i]);
        }
    }
    return values;
}

// Evaluates the circuit backwards: `back` is the weight of everything outside a state by mines
// inside. Calls `see(box, mines, weight)` for every transition that adds a box.
template <class Ring, class See>
void Layouts::backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                       std::vector<typename Ring::Value>& back, See see) const {
    Work work;
    for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
        for (const auto& transition : transitions_of(*table)) {
            const auto& left = states_[at(transition.left)];
            const auto& out = states_[at(transition.out)];
            const auto* from = ahead.data() + left.offset;
            auto* left_back = back.data() + left.offset;
            if (table->box >= 0) {
                work.add(left.length);
                const int size = box_size_[at(table->box)];
                const auto factor = ring.box_factor(transition.weight(), size, transition.right);
                const auto* outside =
                    back.data() + out.offset + (left.fewest + transition.right - out.fewest);
                typename Ring::Value met{};
                for (std::int32_t a = 0; a < left.length; ++a) {
                    ring.add_product(met, from[a], outside[a]);
                    ring.add_product(left_back[a], factor, outside[a]);
                }
                see(table->box, transition.right, ring.product(factor, met));
                continue;
            }
            const auto& right = states_[at(transition.right)];
            const auto* with = ahead.data() + right.offset;
            auto* right_back = back.data() + right.offset;
            work.add(std::int64_t{left.length} * right.length);
            const auto weight = ring.from_weight(transition.weight());
            for (std::int32_t a = 0; a < left.length; ++a) {
                const auto* outside =
                    back.data() + out.offset + (left.fewest + a + right.fewest - out.fewest);
                const auto factor = ring.product(weight, from[a]);
                typename Ring::Value met{};
                for (std::int32_t b = 0; b < right.length; ++b) {
                    ring.add_product(met, with[b], outside[b]);
                    ring.add_product(right_back[b], factor, outside[b]);
                }
                ring.add_product(left_back[a], weight, met);
            }
        }
    }
}

template <class Value>
void Layouts::put_at_root(std::span<const Value> by_total, std::vector<Value>& back) const {
    back.assign(weight_count_, Value{});
    std::ranges::copy(by_total, back.begin() + root().offset);
}

void Layouts::box_values(std::span<const Wide> outside, BoxValues& result) const {
    Wide largest;
    for (const auto weight : outside)
        if (largest < weight) largest = weight;
    if (!wide_) {
        auto& relative = result.outside;
        relative.clear();
        double least = 1.0;
        for (const auto weight : outside) {
            relative.push_back(ratio(weight, largest));
            if (relative.back() > 0.0) least = std::min(least, relative.back());
        }
        if (least >= std::exp2(span_bits_ - most_bits_of_products))
            return box_values_in(RealRing{}, weights_, relative, result);
    }
    if (wide_) return box_values_in(WideRing{}, wide_weights_, outside, result);
    box_values_in(WideRing{}, forward_all(WideRing{}), outside, result);
}

template <class Ring>
void Layouts::box_values_in(const Ring& ring, std::span<const typename Ring::Value> ahead,
                            std::span<const typename Ring::Value> outside,
                            BoxValues& result) const {
    using Value = typename Ring::Value;
    auto& [back, values] = std::get<BoxValues::Pass<Value>>(result.passes);
    put_at_root(outside, back);
    values.assign(box_size_.size() * values_per_box, Value{});
    backward(ring, ahead, back,
             [&values = values](std::int32_t box, std::int32_t mines, Value weight) {
                 auto& value = values[at(box) * values_per_box + at(mines)];
                 value = value + weight;
             });
    result.chances.resize(values.size());
    for (std::size_t box = 0; box < box_size_.size(); ++box) {
        const auto first = box * values_per_box;
        Value sum{};
        for (auto i = first; i < first + values_per_box; ++i)
            sum = sum + values[i];
        for (auto i = first; i < first + values_per_box; ++i)
            result.chances[i] = ratio(values[i], sum);
    }
}

std::vector<std::uint8_t> Layouts::box_support(std::span<const std::uint8_t> allowed) const {
    std::vector<std::uint8_t> values(box_size_.size() * values_per_box, 0);
    const auto ahead = forward_all(BooleanRing{});
    std::vector<std::uint8_t> back;
    put_at_root(allowed, back);
    const auto see = [&](std::int32_t box, std::int32_t mines, std::uint8_t met) {
        values[at(box) * values_per_box + at(mines)] |= met;
    };
    backward(BooleanRing{}, ahead, back, see);
    return values;
}

std::vector<BoxRange> Layouts::find_box_ranges() const {
    // Every state can be reached, so a transition is possible if its state leads to the root.
    std::vector<BoxRange> ranges(box_size_.size());
    std::vector<std::uint8_t> leads(states_.size(), 0);
    leads.back() = 1;
    for (auto table = tables_.rbegin(); table != tables_.rend(); ++table)
        for (const auto& transition : transitions_of(*table)) {
            if (!leads[at(transition.out)]) continue;
            leads[at(transition.left)] = 1;
            if (table->box >= 0)
                ranges[at(table->box)].allow(transition.right, box_size_[at(table->box)]);
            else
                leads[at(transition.right)] = 1;
        }
    return ranges;
}

template <class Value>
std::vector<Value> Layouts::by_total(const std::vector<Value>& values) const {
    const auto first = values.begin() + root().offset;
    return {first, first + root().length};
}

std::vector<std::uint8_t> Layouts::total_support() const {
    return by_total(forward_all(BooleanRing{}));
}

int Layouts::count_bits() const {
    const int cells = std::accumulate(box_size_.begin(), box_size_.end(), 0);
    if (!weights_are_counts_) return cells + 1;
    return static_cast<int>(count_all().log() / std::log(2.0)) + 2;
}

Wide Layouts::count_all() const {
    const auto counts = this->counts();
    return std::accumulate(counts.weight.begin(), counts.weight.end(), Wide{});
}

PolynomialOf<Wide> Layouts::counts() const {
    if (weights_are_counts_) return total_;
    return {total_.fewest, by_total(forward_all(CountRing{}))};
}

std::vector<std::uint64_t> Layouts::counts_modulo(std::uint64_t prime) const {
    assert(1 < prime && prime < std::uint64_t{1} << 31);
    return by_total(forward_all(ModularRing{prime}));
}

ComponentSampler::ComponentSampler(const Layouts& layouts) : layouts_(layouts) {
    first_.assign(layouts.states_.size() + 1, 0);
    for (const auto& transition : layouts.transitions_)
        ++first_[at(transition.out) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    order_.resize(layouts.transitions_.size());
    auto next = first_;
    for (std::size_t i = 0; i < layouts.transitions_.size(); ++i)
        order_[next[at(layouts.transitions_[i].out)]++] = static_cast<std::uint32_t>(i);
}

// Starts at the last table. Each state was reached by one of the transitions into it, with a chance
// equal to the transition's share of the state's weight.
void ComponentSampler::draw(std::int64_t mines, Random& random,
                            std::span<std::uint8_t> box_mines) const {
    const auto weight_of = [&](std::int32_t id, std::int64_t count) {
        const auto& state = layouts_.states_[at(id)];
        const auto index = count - state.fewest;
        if (index < 0 || index >= state.length) return Wide{};
        return layouts_.weight_at(state.offset + static_cast<std::size_t>(index));
    };
    struct Pending {
        std::int32_t table, state;
        std::int64_t mines;
    };
    random.uniform();  // so that the samples of a seed stay as they are
    const auto root = static_cast<std::int32_t>(layouts_.states_.size()) - 1;
    std::vector<Pending> pending{
        {static_cast<std::int32_t>(layouts_.tables_.size()) - 1, root, mines}};
    while (!pending.empty()) {
        const auto next = pending.back();
        pending.pop_back();
        if (next.table < 0) continue;
        const auto& table = layouts_.tables_[at(next.table)];
        const auto whole = weight_of(next.state, next.mines);
        double left_over = random.uniform();
        Pending left{-1, -1, 0};
        Pending right{-1, -1, 0};
        // If rounding leaves a remainder, the last possible transition is taken.
        const auto offer = [&](const Layouts::Transition& transition, std::int64_t right_mines,
                               Wide weight) {
            if (!weight.positive()) return false;
            left = {table.left, transition.left, next.mines - right_mines};
            right = {table.right, transition.right, right_mines};
            left_over -= ratio(weight, whole);
            return left_over < 0.0;
        };
        bool found = false;
        for (auto i = first_[at(next.state)]; i < first_[at(next.state) + 1] && !found; ++i) {
            const auto& transition = layouts_.transitions_[order_[i]];
            if (table.box >= 0) {
                found = offer(transition, transition.right,
                              transition.weight() *
                                  weight_of(transition.left, next.mines - transition.right));
                continue;
            }
            const auto& state = layouts_.states_[at(transition.right)];
            for (std::int64_t b = state.fewest; b < state.fewest + state.length && !found; ++b)
                found = offer(transition, b,
                              transition.weight() * weight_of(transition.left, next.mines - b) *
                                  weight_of(transition.right, b));
        }
        pending.push_back(left);
        if (table.box >= 0)
            box_mines[at(table.box)] = static_cast<std::uint8_t>(right.mines);
        else
            pending.push_back(right);
    }
}

}  // namespace mineproof
