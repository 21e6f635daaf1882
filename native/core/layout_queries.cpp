// What a counted component answers: chances of its boxes, whole numbers, samples.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "index.hpp"
#include "layouts.hpp"
#include "rings.hpp"

namespace mineproof {

namespace {

double ratio(double a, double b) {
    return a / b;
}

// Bits that a product of weights inside and outside may span and still fit a double.
constexpr double most_bits_of_products = 1000.0;

}  // namespace

template <class Ring>
std::vector<typename Ring::Value> Layouts::forward_all(const Ring& ring) const {
    std::vector<typename Ring::Value> values(weight_count_);
    values[0] = ring.from_weight(Wide::of(1.0));
    for (const auto& stage : stages_)
        forward(stage, ring, values.data());
    return values;
}

std::vector<Layouts::ProbeTotal> Layouts::probe_totals() const {
    std::vector<ProbeTotal> totals;
    for (const auto& root : roots_) {
        const auto& state = states_[at(root.state)];
        totals.push_back({root.probe_mines, {state.fewest, {}}});
        for (std::int32_t m = 0; m < state.length; ++m)
            totals.back().total.weight.push_back(weight_at(state.offset + at(m)));
    }
    return totals;
}

// The way back, in any arithmetic: `back` holds for every state the weight of what is outside it
// by mines inside; `see(box, mines, weight)` meets every move that takes in a box.
template <class Ring, class See>
void Layouts::backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                       std::vector<typename Ring::Value>& back, See see) const {
    for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
        for (const auto& move : moves_of(*stage)) {
            const auto& left = states_[at(move.left)];
            const auto& out = states_[at(move.out)];
            const auto* from = ahead.data() + left.offset;
            auto* left_back = back.data() + left.offset;
            if (stage->box >= 0) {
                const int size = box_size_[at(stage->box)];
                const auto factor = ring.box_factor(move.weight(), size, move.right);
                const auto* outside =
                    back.data() + out.offset + (left.fewest + move.right - out.fewest);
                typename Ring::Value met{};
                for (std::int32_t a = 0; a < left.length; ++a) {
                    met = ring.add_product(met, from[a], outside[a]);
                    left_back[a] = ring.add_product(left_back[a], factor, outside[a]);
                }
                see(stage->box, move.right, ring.product(factor, met));
                continue;
            }
            const auto& right = states_[at(move.right)];
            const auto* with = ahead.data() + right.offset;
            auto* right_back = back.data() + right.offset;
            const auto weight = ring.from_weight(move.weight());
            for (std::int32_t a = 0; a < left.length; ++a) {
                const auto* outside =
                    back.data() + out.offset + (left.fewest + a + right.fewest - out.fewest);
                const auto factor = ring.product(weight, from[a]);
                typename Ring::Value met{};
                for (std::int32_t b = 0; b < right.length; ++b) {
                    met = ring.add_product(met, with[b], outside[b]);
                    right_back[b] = ring.add_product(right_back[b], factor, outside[b]);
                }
                left_back[a] = ring.add_product(left_back[a], weight, met);
            }
        }
    }
}

template <class Value>
std::vector<Value> Layouts::at_roots(std::span<const Value> by_total) const {
    std::vector<Value> back(weight_count_);
    for (const auto& root : roots_) {
        const auto& state = states_[at(root.state)];
        const auto skip = static_cast<std::int64_t>(state.fewest) - total_.fewest;
        for (std::int32_t a = 0; a < state.length; ++a)
            back[state.offset + at(a)] = by_total[static_cast<std::size_t>(skip + a)];
    }
    return back;
}

std::vector<double> Layouts::box_values(std::span<const Wide> outside) const {
    Wide largest;
    for (const auto weight : outside)
        if (largest < weight) largest = weight;
    if (!wide_) {
        std::vector<double> relative;
        relative.reserve(outside.size());
        double least = 1.0;
        for (const auto weight : outside) {
            relative.push_back(ratio(weight, largest));
            if (relative.back() > 0.0) least = std::min(least, relative.back());
        }
        if (least >= std::exp2(span_bits_ - most_bits_of_products))
            return box_values_in(RealRing{}, weights_, relative);
    }
    if (wide_) return box_values_in(WideRing{}, wide_weights_, outside);
    return box_values_in(WideRing{}, forward_all(WideRing{}), outside);
}

template <class Ring>
std::vector<double> Layouts::box_values_in(const Ring& ring,
                                           std::span<const typename Ring::Value> ahead,
                                           std::span<const typename Ring::Value> outside) const {
    using Value = typename Ring::Value;
    std::vector<Value> values(box_size_.size() * values_per_box);
    auto back = at_roots(outside);
    backward(ring, ahead, back, [&](std::int32_t box, std::int32_t mines, Value weight) {
        auto& value = values[at(box) * values_per_box + at(mines)];
        value = value + weight;
    });
    std::vector<double> chances(values.size());
    for (std::size_t box = 0; box < box_size_.size(); ++box) {
        const auto first = box * values_per_box;
        Value sum{};
        for (auto i = first; i < first + values_per_box; ++i)
            sum = sum + values[i];
        for (auto i = first; i < first + values_per_box; ++i)
            chances[i] = ratio(values[i], sum);
    }
    return chances;
}

std::vector<std::uint8_t> Layouts::box_support(std::span<const std::uint8_t> allowed) const {
    std::vector<std::uint8_t> values(box_size_.size() * values_per_box, 0);
    const auto ahead = forward_all(BooleanRing{});
    auto back = at_roots(allowed);
    const auto see = [&](std::int32_t box, std::int32_t mines, std::uint8_t met) {
        values[at(box) * values_per_box + at(mines)] |= met;
    };
    backward(BooleanRing{}, ahead, back, see);
    return values;
}

template <class Value>
std::vector<Value> Layouts::by_total(std::span<const Value> values, auto add) const {
    std::vector<Value> result(total_.weight.size(), 0);
    for (const auto& root : roots_) {
        const auto& state = states_[at(root.state)];
        const auto skip = static_cast<std::int64_t>(state.fewest) - total_.fewest;
        for (std::int32_t a = 0; a < state.length; ++a) {
            auto& sum = result[static_cast<std::size_t>(skip + a)];
            sum = add(sum, values[state.offset + at(a)]);
        }
    }
    return result;
}

std::vector<std::uint8_t> Layouts::total_support() const {
    const auto values = forward_all(BooleanRing{});
    return by_total(std::span<const std::uint8_t>(values), [](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a | b);
    });
}

int Layouts::count_bits() const {
    const int cells = std::accumulate(box_size_.begin(), box_size_.end(), 0);
    if (!weights_are_counts_) return cells + 1;
    const auto all = std::accumulate(total_.weight.begin(), total_.weight.end(), Wide{});
    return static_cast<int>(all.log() / std::log(2.0)) + 2;
}

std::vector<std::uint64_t> Layouts::counts_modulo(std::uint64_t prime) const {
    const auto values = forward_all(ModularRing{prime});
    return by_total(std::span<const std::uint64_t>(values),
                    [&](std::uint64_t a, std::uint64_t b) { return (a + b) % prime; });
}

LayoutSampler::LayoutSampler(const Layouts& layouts) : layouts_(layouts) {
    first_.assign(layouts.states_.size() + 1, 0);
    for (const auto& move : layouts.moves_)
        ++first_[at(move.out) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    order_.resize(layouts.moves_.size());
    auto next = first_;
    for (std::size_t i = 0; i < layouts.moves_.size(); ++i)
        order_[next[at(layouts.moves_[i].out)]++] = static_cast<std::uint32_t>(i);
}

// From the root downwards: each state was reached by one of the moves into it, with a chance that
// is the move's share of the state's weight.
void LayoutSampler::draw(std::int64_t mines, Random& random,
                         std::span<std::uint8_t> box_mines) const {
    const auto weight_of = [&](std::int32_t id, std::int64_t count) {
        const auto& state = layouts_.states_[at(id)];
        const auto index = count - state.fewest;
        if (index < 0 || index >= state.length) return Wide{};
        return layouts_.weight_at(state.offset + static_cast<std::size_t>(index));
    };
    struct Want {
        std::int32_t stage, state;
        std::int64_t mines;
    };
    Wide all;
    for (const auto& root : layouts_.roots_)
        all = all + weight_of(root.state, mines);
    double share = random.uniform();
    std::int32_t top = -1;
    for (const auto& root : layouts_.roots_) {
        const auto weight = weight_of(root.state, mines);
        if (!weight.positive()) continue;
        top = root.state;
        share -= ratio(weight, all);
        if (share < 0.0) break;
    }
    std::vector<Want> wanted{{static_cast<std::int32_t>(layouts_.stages_.size()) - 1, top, mines}};
    while (!wanted.empty()) {
        const auto want = wanted.back();
        wanted.pop_back();
        if (want.stage < 0) continue;
        const auto& stage = layouts_.stages_[at(want.stage)];
        const auto whole = weight_of(want.state, want.mines);
        double left_over = random.uniform();
        Want left{-1, -1, 0};
        Want right{-1, -1, 0};
        // The last possible move is taken where rounding leaves a remainder.
        const auto offer = [&](const Layouts::Move& move, std::int64_t right_mines, Wide weight) {
            if (!weight.positive()) return false;
            left = {stage.left, move.left, want.mines - right_mines};
            right = {stage.right, move.right, right_mines};
            left_over -= ratio(weight, whole);
            return left_over < 0.0;
        };
        bool found = false;
        for (auto i = first_[at(want.state)]; i < first_[at(want.state) + 1] && !found; ++i) {
            const auto& move = layouts_.moves_[order_[i]];
            if (stage.box >= 0) {
                found = offer(move, move.right,
                              move.weight() * weight_of(move.left, want.mines - move.right));
                continue;
            }
            const auto& state = layouts_.states_[at(move.right)];
            for (std::int64_t b = state.fewest; b < state.fewest + state.length && !found; ++b)
                found = offer(move, b,
                              move.weight() * weight_of(move.left, want.mines - b) *
                                  weight_of(move.right, b));
        }
        wanted.push_back(left);
        if (stage.box >= 0)
            box_mines[at(stage.box)] = static_cast<std::uint8_t>(right.mines);
        else
            wanted.push_back(right);
    }
}

}  // namespace mineproof
