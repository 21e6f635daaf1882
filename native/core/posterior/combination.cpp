#include "posterior/combination.hpp"

#include <algorithm>
#include <cmath>

#include "board/index.hpp"
#include "counting/product_tree.hpp"

namespace mineproof {

namespace {

// Polynomials that are longer in total are tilted: multiplied by a power of a weight per mine, so
// that the numbers of mines that matter are near the peak and the rest can be cut.
constexpr std::size_t long_total = 512;

double mean_mines(std::span<const double> logs, double log_tilt) {
    double largest = -INFINITY;
    for (std::size_t i = 0; i < logs.size(); ++i)
        largest = std::max(largest, logs[i] + log_tilt * static_cast<double>(i));
    double sum = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const double weight = std::exp(logs[i] + log_tilt * static_cast<double>(i) - largest);
        sum += weight;
        mean += weight * static_cast<double>(i);
    }
    return mean / sum;
}

// The logarithm of the weight per mine at which the expected mines of the parts balance the
// outside.
double balanced_log_tilt(std::span<const PolynomialOf<Wide>> totals, const Outside& outside) {
    std::vector<std::vector<double>> logs(totals.size());
    double fewest = 0.0;
    for (std::size_t part = 0; part < totals.size(); ++part) {
        fewest += static_cast<double>(totals[part].fewest);
        for (const auto weight : totals[part].weight)
            logs[part].push_back(weight.log());
    }
    double low = -60.0;
    double high = 60.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        double mines = fewest;
        for (const auto& part : logs)
            mines += mean_mines(part, middle);
        const double ratio = outside.ratio(mines);
        const bool asks_for_more = std::isfinite(ratio) && ratio > 0.0
                                       ? std::log(ratio) > middle
                                       : mines < static_cast<double>(outside.fewest());
        (asks_for_more ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// `first` is the number of mines of the first weight.
void tilt(std::vector<Wide>& weights, double log_tilt, std::size_t first = 0) {
    for (auto& weight : weights)
        weight = weight * Wide::from_log(log_tilt * static_cast<double>(first++));
}

// G over a range. Ratios are more precise than logarithms.
void weigh_outside(std::int64_t fewest, std::size_t length, const Outside& outside,
                   std::vector<Wide>& weights) {
    weights.assign(length, Wide{});
    const auto first = std::max(fewest, outside.fewest());
    const auto last = std::min(fewest + static_cast<std::int64_t>(length) - 1, outside.most());
    auto value = Wide::of(1.0);
    for (auto m = first; m <= last; ++m) {
        weights[at(m - fewest)] = value;
        if (m < last) value = value * Wide::of(outside.ratio(static_cast<double>(m)));
    }
}

}  // namespace

Combination::Totals Combination::totals_of(Parts parts) {
    Totals totals;
    totals.reserve(parts.size() + 1);
    for (const auto& part : parts)
        totals.push_back(part->total());
    return totals;
}

void Combination::combine(Parts parts, const Outside& outside) {
    if (totals_.size() < parts.size()) totals_.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        totals_[i] = parts[i]->total();
    combine(std::span(totals_).first(parts.size()), outside);
}

void Combination::combine(std::span<PolynomialOf<Wide>> totals, const Outside& outside) {
    std::size_t length = 0;
    std::int64_t fewest = 0;
    for (const auto& total : totals) {
        length += total.weight.size();
        fewest += total.fewest;
    }
    log_tilt_ = 0.0;
    if (length > long_total) {
        log_tilt_ = balanced_log_tilt(totals, outside);
        for (auto& total : totals)
            tilt(total.weight, log_tilt_);
        if (multiply(totals, fewest, outside, true)) return;
    }
    multiply(totals, fewest, outside, false);
}

bool Combination::multiply(std::span<const PolynomialOf<Wide>> totals, std::int64_t fewest,
                           const Outside& outside, bool may_trim) {
    // Step 4.1. Multiply the polynomials of the components.
    tree_.build(totals, may_trim);
    zeros_are_proofs_ = !tree_.trimmed();
    const auto& all = tree_.all();
    // Step 4.2. Weigh the rest of the board by the mines it is left with.
    weigh_outside(all.fewest, all.weight.size(), outside, outside_);
    if (log_tilt_ != 0.0) tilt(outside_, -log_tilt_, at(all.fewest - fewest));
    Wide sum;
    for (std::size_t i = 0; i < outside_.size(); ++i)
        sum = sum + all.weight[i] * outside_[i];
    fits_ = sum.positive();
    if (!fits_) return zeros_are_proofs_;
    mines_.fewest = all.fewest;
    mines_.weight.clear();
    for (std::size_t i = 0; i < outside_.size(); ++i)
        mines_.weight.push_back(ratio(all.weight[i] * outside_[i], sum));
    log_weight_ = sum.log() + outside.log_weight(std::max(all.fewest, outside.fewest()));
    // Step 4.3. For every component, find the weight of everything else.
    const bool sound = tree_.leave_one_out(outside_);
    if (log_tilt_ != 0.0)
        for (std::size_t part = 0; part < totals.size(); ++part)
            tilt(tree_.around(part), log_tilt_);
    return sound;
}

TiltedTotals tilted_totals(Parts parts, const Outside& outside) {
    TiltedTotals result;
    std::size_t length = 0;
    auto& all = result.outside;
    for (const auto& part : parts) {
        result.totals.push_back(part->total());
        length += part->total().weight.size() - 1;
        all.fewest += part->total().fewest;
    }
    weigh_outside(all.fewest, length + 1, outside, all.weight);
    if (length <= long_total) return result;
    const double log_tilt = balanced_log_tilt(result.totals, outside);
    for (auto& total : result.totals)
        tilt(total.weight, log_tilt);
    tilt(all.weight, -log_tilt);
    return result;
}

Possibility possibility(Parts parts, const Outside& outside) {
    std::vector<PolynomialOf<std::uint8_t>> supports;
    for (const auto& part : parts)
        supports.push_back({part->total().fewest, part->total_support()});
    ProductTree<BooleanRing> tree(supports);
    Possibility result;
    result.mines = tree.all();
    auto& marks = result.mines.weight;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const auto mines = result.mines.fewest + static_cast<std::int64_t>(i);
        marks[i] = marks[i] && mines >= outside.fewest() && mines <= outside.most();
    }
    tree.leave_one_out(marks);
    for (std::size_t i = 0; i < supports.size(); ++i)
        result.totals.push_back(tree.around(i));
    return result;
}

}  // namespace mineproof
