// What a counted component answers: chances of its boxes, whole numbers, samples.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "layouts.hpp"
#include "rings.hpp"

namespace mineproof {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

constexpr std::size_t values_per_box = max_degree + 1;

// Brings the largest of the values near 1, so that long products stay in range.
void normalise(std::span<double> values) {
    double largest = 0.0;
    for (const auto value : values)
        largest = std::max(largest, value);
    if (largest == 0.0) return;
    const int exponent = std::ilogb(largest);
    for (auto& value : values)
        value = std::ldexp(value, -exponent);
}

}  // namespace

template <class Ring>
std::vector<typename Ring::Value> Layouts::forward_all(const Ring& ring) const {
    std::vector<typename Ring::Value> values(weights_.size(), 0);
    values[0] = 1;
    for (const auto& stage : stages_)
        forward(stage, ring, values.data());
    return values;
}

std::vector<Layouts::ProbeTotal> Layouts::probe_totals() const {
    std::vector<ProbeTotal> totals;
    for (const auto& root : roots_) {
        const auto& state = states_[at(root.state)];
        const auto* begin = weights_.data() + state.offset;
        totals.push_back({root.probe_mines, {state.fewest, {begin, begin + state.length}}});
    }
    return totals;
}

// The way back, in any arithmetic: `back` holds for every state the weight of what is outside it
// by mines inside; `see(box, mines, forward, back, move)` meets every move that takes in a box.
template <class Ring, class See, class Done>
void Layouts::backward(const Ring& ring, std::span<const typename Ring::Value> ahead,
                       std::vector<typename Ring::Value>& back, See see, Done table_done) const {
    for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
        for (const auto& move : moves_of(*stage)) {
            const auto& left = states_[at(move.left)];
            const auto& out = states_[at(move.out)];
            const auto* from = ahead.data() + left.offset;
            auto* left_back = back.data() + left.offset;
            if (stage->box >= 0) {
                const int size = box_size_[at(stage->box)];
                const auto factor = ring.box_factor(move.weight, size, move.right);
                const auto* outside =
                    back.data() + out.offset + (left.fewest + move.right - out.fewest);
                typename Ring::Value met = 0;
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
            for (std::int32_t a = 0; a < left.length; ++a) {
                const auto* outside =
                    back.data() + out.offset + (left.fewest + a + right.fewest - out.fewest);
                const auto factor = ring.times_weight(move.weight, from[a]);
                typename Ring::Value met = 0;
                for (std::int32_t b = 0; b < right.length; ++b) {
                    met = ring.add_product(met, with[b], outside[b]);
                    right_back[b] = ring.add_product(right_back[b], factor, outside[b]);
                }
                left_back[a] =
                    ring.add_product(left_back[a], ring.times_weight(move.weight, 1), met);
            }
        }
        if (stage->left >= 0) table_done(stages_[at(stage->left)]);
        if (stage->right >= 0) table_done(stages_[at(stage->right)]);
    }
}

template <class Value>
std::vector<Value> Layouts::at_roots(std::span<const Value> by_total) const {
    std::vector<Value> back(weights_.size(), 0);
    for (const auto& root : roots_) {
        const auto& state = states_[at(root.state)];
        const auto skip = static_cast<std::int64_t>(state.fewest) - total_.fewest;
        for (std::int32_t a = 0; a < state.length; ++a)
            back[state.offset + at(a)] = by_total[static_cast<std::size_t>(skip + a)];
    }
    return back;
}

std::vector<double> Layouts::box_values(std::span<const double> outside) const {
    std::vector<double> values(box_size_.size() * values_per_box, 0.0);
    auto back = at_roots(outside);
    const auto see = [&](std::int32_t box, std::int32_t mines, double weight) {
        values[at(box) * values_per_box + at(mines)] += weight;
    };
    const auto rescale = [&](const Stage& table) {
        if (!scaled()) return;
        const auto& first = states_[table.state_begin];
        const auto& last = states_[table.state_end - 1];
        normalise(
            std::span(back).subspan(first.offset, last.offset + at(last.length) - first.offset));
    };
    backward(RealRing{}, std::span<const double>(weights_), back, see, rescale);
    return values;
}

std::vector<std::uint8_t> Layouts::box_support(std::span<const std::uint8_t> allowed) const {
    std::vector<std::uint8_t> values(box_size_.size() * values_per_box, 0);
    const auto ahead = forward_all(BooleanRing{});
    auto back = at_roots(allowed);
    const auto see = [&](std::int32_t box, std::int32_t mines, std::uint8_t met) {
        values[at(box) * values_per_box + at(mines)] |= met;
    };
    backward(BooleanRing{}, std::span<const std::uint8_t>(ahead), back, see, [](const Stage&) {});
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
        if (index < 0 || index >= state.length) return 0.0;
        return layouts_.weights_[state.offset + static_cast<std::size_t>(index)];
    };
    struct Want {
        std::int32_t stage, state;
        std::int64_t mines;
    };
    double share = 0.0;
    for (const auto& root : layouts_.roots_)
        share += weight_of(root.state, mines);
    share *= random.uniform();
    std::int32_t top = -1;
    for (const auto& root : layouts_.roots_) {
        const double weight = weight_of(root.state, mines);
        if (weight == 0.0) continue;
        top = root.state;
        share -= weight;
        if (share < 0.0) break;
    }
    std::vector<Want> wanted{{static_cast<std::int32_t>(layouts_.stages_.size()) - 1, top, mines}};
    while (!wanted.empty()) {
        const auto want = wanted.back();
        wanted.pop_back();
        if (want.stage < 0) continue;
        const auto& stage = layouts_.stages_[at(want.stage)];
        double left_over = random.uniform() * weight_of(want.state, want.mines);
        Want left{-1, -1, 0};
        Want right{-1, -1, 0};
        // The last possible move is taken where rounding leaves a remainder.
        const auto offer = [&](const Layouts::Move& move, std::int64_t right_mines, double weight) {
            if (weight == 0.0) return false;
            left = {stage.left, move.left, want.mines - right_mines};
            right = {stage.right, move.right, right_mines};
            left_over -= weight;
            return left_over < 0.0;
        };
        bool found = false;
        for (auto i = first_[at(want.state)]; i < first_[at(want.state) + 1] && !found; ++i) {
            const auto& move = layouts_.moves_[order_[i]];
            if (stage.box >= 0) {
                found = offer(move, move.right,
                              move.weight * weight_of(move.left, want.mines - move.right));
                continue;
            }
            const auto& state = layouts_.states_[at(move.right)];
            for (std::int64_t b = state.fewest; b < state.fewest + state.length && !found; ++b)
                found = offer(
                    move, b,
                    move.weight * weight_of(move.left, want.mines - b) * weight_of(move.right, b));
        }
        wanted.push_back(left);
        if (stage.box >= 0)
            box_mines[at(stage.box)] = static_cast<std::uint8_t>(right.mines);
        else
            wanted.push_back(right);
    }
}

}  // namespace mineproof
