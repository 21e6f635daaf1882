#include "posterior/count_chances.hpp"

#include <algorithm>
#include <cmath>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

PolynomialOf<double> relative(const PolynomialOf<Wide>& weights) {
    const auto largest = *std::max_element(weights.weight.begin(), weights.weight.end());
    PolynomialOf<double> result{weights.fewest, {}};
    result.weight.reserve(weights.weight.size());
    for (const auto weight : weights.weight)
        result.weight.push_back(weight.positive() ? ratio(weight, largest) : 0.0);
    return result;
}

PolynomialOf<double> product(const PolynomialOf<double>& a, const PolynomialOf<double>& b) {
    PolynomialOf<double> result{a.fewest + b.fewest, {}};
    result.weight.assign(a.weight.size() + b.weight.size() - 1, 0.0);
    Work work;
    for (std::size_t i = 0; i < a.weight.size(); ++i) {
        for (std::size_t j = 0; j < b.weight.size(); ++j)
            result.weight[i + j] += a.weight[i] * b.weight[j];
        work.add(std::ssize(b.weight));
    }
    return result;
}

// The product of polynomials in mines and counted mines.
template <class Value>
CountedWeights<Value> product(const CountedWeights<Value>& a, const CountedWeights<Value>& b) {
    CountedWeights<Value> result{a.fewest + b.fewest, a.width + b.width - 1, {}};
    result.values.assign((a.length() + b.length() - 1) * result.width, Value{});
    for (std::size_t m = 0; m < b.length(); ++m)
        for (std::size_t k = 0; k < b.width; ++k) {
            const auto weight = b.values[m * b.width + k];
            if (!(Value{} < weight)) continue;
            for (std::size_t i = 0; i < a.length(); ++i)
                for (std::size_t j = 0; j < a.width; ++j) {
                    auto& sum = result.values[(i + m) * result.width + j + k];
                    sum = sum + weight * a.values[i * a.width + j];
                }
        }
    return result;
}

}  // namespace

void Around::look(const Topology& topology, std::span<const Knowledge> knowledge,
                  std::span<const BoxPlace> places, std::int32_t cell) {
    boxed.clear();
    known = interior = 0;
    own = knowledge[at(cell)] == Knowledge::unknown;
    if (knowledge[at(cell)] == Knowledge::boxed) look_at(places[at(cell)], 0, 1);
    for (const auto other : topology.neighbours(cell)) {
        known += knowledge[at(other)] == Knowledge::mined;
        interior += knowledge[at(other)] == Knowledge::unknown;
        if (knowledge[at(other)] == Knowledge::boxed) look_at(places[at(other)], 1, 0);
    }
    std::ranges::sort(boxed, {}, &Look::component);
}

void Around::look_at(BoxPlace place, int counted, int free) {
    auto look = std::ranges::find_if(boxed, [&](const Look& other) {
        return other.component == place.component && other.marked.box == place.box;
    });
    if (look == boxed.end()) look = boxed.insert(look, Look{place.component, {place.box}});
    look->marked.counted += counted;
    look->marked.free += free;
}

std::array<Wide, max_degree + 1> weigh_counts(const Around& around, Parts parts,
                                              const Outside& outside) {
    const auto one = Wide::of(1.0);
    // Interior cells are like a box without clues.
    const auto width = at(around.interior) + 1;
    CountedWeights<Wide> weights{0, width, std::vector<Wide>(width * width)};
    for (std::size_t k = 0; k < width; ++k)
        weights.values[k * width + k] = Wide::of(choose(around.interior, static_cast<int>(k)));
    auto totals = Combination::totals_of(parts);
    around.for_each_component([&](std::size_t component, std::span<const Marked> marked) {
        auto own = MarkedTotals(*parts[component]).weigh(marked);
        auto& total = totals[component];
        const auto own_width = own.size() / total.weight.size();
        weights = product<Wide>(weights, {total.fewest, own_width, std::move(own)});
        total = {0, {one}};
    });
    totals.push_back({weights.fewest, std::vector<Wide>(weights.length())});
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        auto& sum = totals.back().weight[i / weights.width];
        sum = sum + weights.values[i];
    }
    const auto own = totals.size() - 1;
    const Combination combination(std::move(totals), outside);
    const auto rest = combination.around(own);
    std::array<Wide, max_degree + 1> counts{};
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        auto& sum = counts[at(around.known) + i % weights.width];
        sum = sum + weights.values[i] * rest[i / weights.width];
    }
    return counts;
}

CountChances::CountChances(const Topology& topology, std::span<const Knowledge> knowledge,
                           std::span<const BoxPlace> places, Parts parts, const Outside& outside)
    : topology_(topology),
      knowledge_(knowledge),
      places_(places),
      parts_(parts),
      outside_(outside),
      marked_totals_(parts.size()) {
    const auto tilted = tilted_totals(parts, outside);
    for (const auto& total : tilted.totals)
        totals_.push_back(relative(total));
    outside_weight_ = relative(tilted.outside);
    auto& rest = rest_of({});
    all_ = around(rest, 0, 0).front();
}

ByCount CountChances::of(std::int32_t cell) {
    ByCount chances{};
    if (knowledge_[at(cell)] == Knowledge::mined) return chances;
    around_.look(topology_, knowledge_, places_, cell);
    const auto own_weights = weigh_boxed();
    const auto& rest = around(rest_of(touched_), around_.interior, around_.own);
    const auto width = at(around_.interior) + 1;
    for (std::size_t i = 0; i < own_weights.length(); ++i)
        for (std::size_t k = 0; k < own_weights.width; ++k) {
            const double weight = own_weights.values[i * own_weights.width + k] / all_;
            if (weight == 0.0) continue;
            for (std::size_t j = 0; j < width; ++j)
                chances[at(around_.known) + k + j] += weight * rest[i * width + j];
        }
    return chances;
}

// The weights of the components around the cell, which become `touched_`.
CountedWeights<double> CountChances::weigh_boxed() {
    touched_.clear();
    CountedWeights<double> result{0, 1, {1.0}};
    around_.for_each_component([&](std::size_t component, std::span<const Marked> marked) {
        touched_.push_back(static_cast<std::int32_t>(component));
        auto& counter = marked_totals_[component];
        if (!counter) counter = std::make_unique<MarkedTotals>(*parts_[component]);
        const auto counted = counter->count(marked);
        const auto& exact = parts_[component]->total();
        const auto& total = totals_[component];
        const auto width = counted.size() / total.weight.size();
        CountedWeights<double> own{total.fewest, width, std::vector<double>(counted.size(), 0.0)};
        for (std::size_t i = 0; i < counted.size(); ++i) {
            // Totals may be tilted, so the share of the total counts.
            const auto m = i / width;
            const double whole = ratio(exact.weight[m], counter->unit());
            if (exact.weight[m].positive() && whole > 0.0)
                own.values[i] = total.weight[m] * (counted[i] / whole);
        }
        result = product(result, own);
    });
    return result;
}

CountChances::Rest& CountChances::rest_of(const std::vector<std::int32_t>& components) {
    const auto [found, is_new] = rests_.try_emplace(components);
    auto& rest = found->second;
    if (!is_new) return rest;
    rest.others = {0, {1.0}};
    auto next = components.begin();
    for (std::size_t i = 0; i < totals_.size(); ++i) {
        if (next == components.end() || at(*next) != i) {
            rest.others = product(rest.others, totals_[i]);
            continue;
        }
        ++next;
        rest.own_fewest += totals_[i].fewest;
        rest.own_length += totals_[i].weight.size() - 1;
    }
    return rest;
}

double CountChances::weight_outside(std::int64_t mines) const {
    const auto index = mines - outside_weight_.fewest;
    const bool inside = index >= 0 && index < std::ssize(outside_weight_.weight);
    return inside ? outside_weight_.weight[at(index)] : 0.0;
}

// By mines of the touched parts, then by counted interior cells: the weight of everything else.
const std::vector<double>& CountChances::around(Rest& rest, int counted, int free) {
    auto& values = rest.around[at(counted)][at(free)];
    if (!values.empty()) return values;
    const auto width = at(counted) + 1;
    values.assign(rest.own_length * width, 0.0);
    const auto length = rest.own_length + rest.others.weight.size() - 1;
    const auto fewest = rest.own_fewest + rest.others.fewest;
    for (std::size_t m = 0; m < length; ++m) {
        const auto mines = fewest + static_cast<std::int64_t>(m);
        const double outside = weight_outside(mines);
        if (outside == 0.0) continue;
        const auto chances = outside_.interior_chances(mines, counted, free);
        const auto first =
            m + 1 < rest.others.weight.size() ? 0 : m + 1 - rest.others.weight.size();
        for (auto own = first; own <= std::min(m, rest.own_length - 1); ++own)
            for (std::size_t j = 0; j < width; ++j)
                values[own * width + j] += outside * rest.others.weight[m - own] * chances[j];
    }
    return values;
}

}  // namespace mineproof
