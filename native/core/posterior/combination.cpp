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

using Totals = Combination::Totals;

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
double balanced_log_tilt(const Totals& totals, const Outside& outside) {
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

Wide tilt(double log_tilt, std::size_t i) {
    return Wide::from_log(log_tilt * static_cast<double>(i));
}

// G over a range. Ratios are more precise than logarithms.
std::vector<Wide> outside_weights(std::int64_t fewest, std::size_t length, const Outside& outside) {
    std::vector<Wide> weights(length);
    const auto first = std::max(fewest, outside.fewest());
    const auto last = std::min(fewest + static_cast<std::int64_t>(length) - 1, outside.most());
    auto value = Wide::of(1.0);
    for (auto m = first; m <= last; ++m) {
        weights[at(m - fewest)] = value;
        if (m < last) value = value * Wide::of(outside.ratio(static_cast<double>(m)));
    }
    return weights;
}

}  // namespace

Combination::Totals Combination::totals_of(Parts parts) {
    Totals totals;
    totals.reserve(parts.size() + 1);
    for (const auto& part : parts)
        totals.push_back(part->total());
    return totals;
}

Combination::Combination(Totals totals, const Outside& outside) : outside_(outside) {
    std::size_t length = 0;
    std::int64_t fewest = 0;
    for (const auto& total : totals) {
        length += total.weight.size();
        fewest += total.fewest;
    }
    if (length > long_total) {
        log_tilt_ = balanced_log_tilt(totals, outside);
        for (auto& total : totals)
            for (std::size_t i = 0; i < total.weight.size(); ++i)
                total.weight[i] = total.weight[i] * tilt(log_tilt_, i);
        if (combine(totals, fewest, true)) return;
    }
    combine(totals, fewest, false);
}

bool Combination::combine(const Totals& totals, std::int64_t fewest, bool may_trim) {
    tree_.emplace(totals, may_trim);
    zeros_are_proofs_ = !tree_->trimmed();
    const auto& all = tree_->all();
    auto around = outside_weights(all.fewest, all.weight.size(), outside_);
    if (log_tilt_ != 0.0)
        for (std::size_t i = 0; i < around.size(); ++i)
            around[i] = around[i] * tilt(-log_tilt_, at(all.fewest - fewest) + i);
    Wide sum;
    for (std::size_t i = 0; i < around.size(); ++i)
        sum = sum + all.weight[i] * around[i];
    fits_ = sum.positive();
    if (!fits_) return zeros_are_proofs_;
    mines_.fewest = all.fewest;
    mines_.weight.clear();
    for (std::size_t i = 0; i < around.size(); ++i)
        mines_.weight.push_back(ratio(all.weight[i] * around[i], sum));
    log_weight_ = sum.log() + outside_.log_weight(std::max(all.fewest, outside_.fewest()));
    auto surroundings = tree_->leave_one_out(around);
    around_ = std::move(surroundings.parts);
    if (log_tilt_ != 0.0)
        for (auto& part : around_)
            for (std::size_t i = 0; i < part.size(); ++i)
                part[i] = part[i] * tilt(log_tilt_, i);
    return surroundings.sound;
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
    all.weight = outside_weights(all.fewest, length + 1, outside);
    if (length <= long_total) return result;
    const double log_tilt = balanced_log_tilt(result.totals, outside);
    for (auto& total : result.totals)
        for (std::size_t i = 0; i < total.weight.size(); ++i)
            total.weight[i] = total.weight[i] * tilt(log_tilt, i);
    for (std::size_t i = 0; i < all.weight.size(); ++i)
        all.weight[i] = all.weight[i] * tilt(-log_tilt, i);
    return result;
}

Possibility possibility(Parts parts, const Outside& outside) {
    std::vector<PolynomialOf<std::uint8_t>> supports;
    for (const auto& part : parts)
        supports.push_back({part->total().fewest, part->total_support()});
    const ProductTree<BooleanRing> tree(supports);
    Possibility result;
    result.mines = tree.all();
    auto& marks = result.mines.weight;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const auto mines = result.mines.fewest + static_cast<std::int64_t>(i);
        marks[i] = marks[i] && mines >= outside.fewest() && mines <= outside.most();
    }
    result.totals = tree.leave_one_out(marks).parts;
    return result;
}

}  // namespace mineproof
