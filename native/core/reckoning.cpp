#include "reckoning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "totals.hpp"

namespace mineproof {

namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Polynomials longer than this together are tilted first, so that what matters is near their peak.
constexpr std::size_t long_total = 512;
// Products this many bits apart still differ from zero.
constexpr double trusted_bits = 1000.0;

double mean_mines(const Layouts& part, double log_tilt) {
    double sum = 0.0;
    double mean = 0.0;
    double largest = -INFINITY;
    const auto& total = part.total();
    const double slope = log_tilt - part.log_tilt();
    std::vector<double> logs;
    for (std::size_t i = 0; i < total.weight.size(); ++i) {
        logs.push_back(std::log(total.weight[i]) + slope * static_cast<double>(i));
        largest = std::max(largest, logs.back());
    }
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const double weight = std::exp(logs[i] - largest);
        sum += weight;
        mean += weight * static_cast<double>(i);
    }
    return static_cast<double>(total.fewest) + mean / sum;
}

// The weight per mine at which the parts hold as many mines as the outside then asks of them.
double balanced_log_tilt(Parts parts, const Outside& outside) {
    double low = -60.0;
    double high = 60.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        double mines = 0.0;
        for (const auto& part : parts)
            mines += mean_mines(*part, middle);
        const double ratio = outside.ratio(mines);
        const bool asks_for_more = std::isfinite(ratio) && ratio > 0.0
                                       ? std::log(ratio) > middle
                                       : mines < static_cast<double>(outside.fewest());
        (asks_for_more ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// exp(slope * i), kept in range.
double tilt(double slope, std::size_t i) {
    return std::exp(std::clamp(slope * static_cast<double>(i), -700.0, 700.0));
}

// G over the range of a product, each value with an exponent of its own until the largest term of
// the whole sum is known. Ratios instead of logarithms keep every digit.
struct OutsideWeights {
    std::vector<double> weight;
    double span_bits = 0.0;
};

OutsideWeights outside_weights(const Polynomial& all, const Outside& outside, double log_tilt) {
    OutsideWeights result;
    result.weight.assign(all.weight.size(), 0.0);
    const auto first = std::max(all.fewest, outside.fewest());
    const auto last = std::min(all.most(), outside.most());
    if (first > last) return result;
    const double step = std::exp(-log_tilt);
    std::vector<int> exponent(all.weight.size(), 0);
    double value = 1.0;
    int power = 0;
    int best = std::numeric_limits<int>::min();
    int least = std::numeric_limits<int>::max();
    for (auto m = first; m <= last; ++m) {
        const auto i = at(m - all.fewest);
        result.weight[i] = value;
        exponent[i] = power;
        if (all.weight[i] > 0.0) {
            const int bits = power + std::ilogb(value) + std::ilogb(all.weight[i]);
            best = std::max(best, bits);
            least = std::min(least, bits);
        }
        value *= outside.ratio(static_cast<double>(m)) * step;
        if (value > 0x1p400 || value < 0x1p-400) {
            const int shift = value > 0.0 ? std::ilogb(value) : 0;
            value = std::ldexp(value, -shift);
            power += shift;
        }
    }
    if (best == std::numeric_limits<int>::min()) {
        result.weight.assign(all.weight.size(), 0.0);
        return result;
    }
    for (auto m = first; m <= last; ++m) {
        const auto i = at(m - all.fewest);
        result.weight[i] = std::min(std::ldexp(result.weight[i], exponent[i] - best), 0x1p900);
    }
    result.span_bits = best - least;
    return result;
}

}  // namespace

// The parts' totals with a mine weighing exp(log_tilt), and the logarithm of what was divided out:
// the true weight of m mines is the product's times exp(log_factor - log_tilt * m).
struct Reckoning::Tilted {
    std::vector<Polynomial> totals;
    double log_factor = 0.0;
    double log_tilt = 0.0;

    Tilted(Parts parts, const Outside& outside) {
        std::size_t length = 0;
        bool uneven = false;
        for (const auto& part : parts) {
            length += part->total().weight.size();
            uneven = uneven || part->log_tilt() != 0.0;
        }
        if (length > long_total || uneven) log_tilt = balanced_log_tilt(parts, outside);
        totals.reserve(parts.size());
        for (const auto& part : parts)
            add(*part);
    }

    void add(const Layouts& part) {
        totals.push_back(part.total());
        const double slope = log_tilt - part.log_tilt();
        log_factor += part.log_scale() + slope * static_cast<double>(part.total().fewest);
        if (slope == 0.0) return;
        auto& weights = totals.back().weight;
        double largest = 0.0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] *= tilt(slope, i);
            largest = std::max(largest, weights[i]);
        }
        for (auto& weight : weights)
            weight /= largest;
        log_factor += std::log(largest);
    }
};

Reckoning::Reckoning(Parts parts, const Outside& outside)
    : Reckoning(parts, outside, Tilted(parts, outside)) {}

Reckoning::Reckoning(Parts parts, const Outside& outside, const Tilted& tilted)
    : parts_(parts), tree_(tilted.totals), log_tilt_(tilted.log_tilt), mines_(tree_.all()) {
    const auto& all = tree_.all();
    auto around = outside_weights(all, outside, log_tilt_);
    around_ = std::move(around.weight);
    double bits = around.span_bits;
    for (const auto& part : parts)
        bits += part->span_bits();
    zeros_are_proofs_ = !tree_.trimmed() && log_tilt_ == 0.0 && bits < trusted_bits;

    double sum = 0.0;
    std::size_t peak = 0;
    for (std::size_t i = 0; i < all.weight.size(); ++i) {
        mines_.weight[i] *= around_[i];
        sum += mines_.weight[i];
        if (mines_.weight[i] > mines_.weight[peak]) peak = i;
    }
    fits_ = sum > 0.0;
    if (!fits_) return;
    for (auto& weight : mines_.weight)
        weight /= sum;
    const auto peak_mines = all.fewest + static_cast<std::int64_t>(peak);
    log_weight_ = std::log(all.weight[peak]) + outside.log_weight(peak_mines) -
                  std::log(mines_.weight[peak]) + tree_.log_scale() + tilted.log_factor -
                  log_tilt_ * static_cast<double>(peak_mines);
}

std::vector<std::vector<double>> Reckoning::around_parts() const {
    auto result = tree_.leave_one_out(around_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const double slope = log_tilt_ - parts_[i]->log_tilt();
        if (slope == 0.0) continue;
        for (std::size_t m = 0; m < result[i].size(); ++m)
            result[i][m] *= tilt(slope, m);
    }
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
        result.any = result.any || marks[i];
    }
    result.totals = tree.leave_one_out(marks);
    return result;
}

}  // namespace mineproof
