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

}  // namespace

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
    looks_.clear();
    std::size_t known = 0;
    int interior = 0;
    const int own = knowledge_[at(cell)] == Knowledge::unknown;
    if (knowledge_[at(cell)] == Knowledge::boxed) look_at(cell, 0, 1);
    for (const auto other : topology_.neighbours(cell)) {
        known += knowledge_[at(other)] == Knowledge::mined;
        interior += knowledge_[at(other)] == Knowledge::unknown;
        if (knowledge_[at(other)] == Knowledge::boxed) look_at(other, 1, 0);
    }
    const auto own_weights = weigh_looks();
    const auto& rest = around(rest_of(touched_), interior, own);
    const auto width = at(interior) + 1;
    for (std::size_t i = 0; i < own_weights.length(); ++i)
        for (std::size_t k = 0; k < own_weights.width; ++k) {
            const double weight = own_weights.values[i * own_weights.width + k] / all_;
            if (weight == 0.0) continue;
            for (std::size_t j = 0; j < width; ++j)
                chances[known + k + j] += weight * rest[i * width + j];
        }
    return chances;
}

void CountChances::look_at(std::int32_t cell, int counted, int free) {
    const auto [component, box] = places_[at(cell)];
    const auto same = [&](const Look& look) {
        return look.component == component && look.marked.box == box;
    };
    auto look = std::ranges::find_if(looks_, same);
    if (look == looks_.end()) look = looks_.insert(look, Look{component, {box}});
    look->marked.counted += counted;
    look->marked.free += free;
}

// The weights of the components that are looked at, which become `touched_`.
CountChances::Weights CountChances::weigh_looks() {
    std::ranges::sort(looks_, {}, &Look::component);
    touched_.clear();
    Weights result;
    for (auto look = looks_.begin(); look != looks_.end();) {
        const auto component = look->component;
        marked_.clear();
        for (; look != looks_.end() && look->component == component; ++look)
            marked_.push_back(look->marked);
        touched_.push_back(component);
        auto& counter = marked_totals_[at(component)];
        if (!counter) counter = std::make_unique<MarkedTotals>(*parts_[at(component)]);
        const auto counted = counter->count(marked_);
        const auto& exact = parts_[at(component)]->total();
        const auto& total = totals_[at(component)];
        const auto width = counted.size() / total.weight.size();
        Weights next{result.fewest + total.fewest, result.width + width - 1, {}};
        next.values.assign((result.length() + total.weight.size() - 1) * next.width, 0.0);
        for (std::size_t m = 0; m < total.weight.size(); ++m) {
            // Totals may be tilted, so the share of the total counts.
            const double whole = ratio(exact.weight[m], counter->unit());
            if (!exact.weight[m].positive() || whole == 0.0) continue;
            for (std::size_t k = 0; k < width; ++k) {
                const double weight = total.weight[m] * (counted[m * width + k] / whole);
                if (weight == 0.0) continue;
                for (std::size_t i = 0; i < result.length(); ++i)
                    for (std::size_t j = 0; j < result.width; ++j)
                        next.values[(i + m) * next.width + j + k] +=
                            weight * result.values[i * result.width + j];
            }
        }
        result = std::move(next);
    }
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
