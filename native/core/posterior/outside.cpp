#include "posterior/outside.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "counting/rings.hpp"

namespace mineproof {

namespace {

// By Stirling's series from 10 on. The standard lgamma is not safe to call from several threads.
double log_factorial(double n) {
    double below = 0.0;
    while (n < 10.0)
        below += std::log(++n);
    const double inverse = 1.0 / (n * n);
    return (n + 0.5) * std::log(n) - n + 0.9189385332046727 +
           (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / n - below;
}

double log_choose(double n, double k) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// Chances of 0 .. n from the ratios of neighbouring ones. Starts at the mode and stops where
// chances become negligible.
template <class Ratio>
PolynomialOf<double> from_ratios(std::int64_t n, std::int64_t mode, Ratio ratio) {
    constexpr double negligible = 1e-300;
    std::vector<double> below, above{1.0};
    for (auto k = mode; k > 0; --k) {
        const double next = (below.empty() ? 1.0 : below.back()) / ratio(k - 1);
        if (next < negligible) break;
        below.push_back(next);
    }
    for (auto k = mode; k < n; ++k) {
        const double next = above.back() * ratio(k);
        if (next < negligible) break;
        above.push_back(next);
    }
    PolynomialOf<double> chances{mode - static_cast<std::int64_t>(below.size()),
                                 {below.rbegin(), below.rend()}};
    chances.weight.insert(chances.weight.end(), above.begin(), above.end());
    double total = 0.0;
    for (const auto weight : chances.weight)
        total += weight;
    for (auto& weight : chances.weight)
        weight /= total;
    return chances;
}

}  // namespace

Outside::Outside(const Prior& prior, std::int64_t interior, std::int64_t known_mines,
                 std::int64_t cells)
    : prior_(prior),
      interior_(interior),
      known_(known_mines),
      left_(prior.mines - known_mines),
      others_(cells - interior),
      most_(std::numeric_limits<std::int64_t>::max()) {
    if (prior_.kind != Prior::Kind::total) return;
    fewest_ = left_ - interior_;
    most_ = left_;
}

double Outside::ratio(double mines) const {
    switch (prior_.kind) {
        case Prior::Kind::total: {
            const double inside = static_cast<double>(left_) - mines;
            return inside / (static_cast<double>(interior_) - inside + 1.0);
        }
        case Prior::Kind::density:
            return prior_.density / (1.0 - prior_.density);
        case Prior::Kind::unknown:
            break;
    }
    // Averaging over a uniform density gives a beta function of the cells that are not interior.
    const double mined = static_cast<double>(known_) + mines;
    return (mined + 1.0) / (static_cast<double>(others_) - mined);
}

double Outside::log_weight(std::int64_t mines) const {
    const auto m = static_cast<double>(mines);
    switch (prior_.kind) {
        case Prior::Kind::total:
            return log_choose(static_cast<double>(interior_), static_cast<double>(left_) - m);
        case Prior::Kind::density:
            return m * (std::log(prior_.density) - std::log1p(-prior_.density));
        case Prior::Kind::unknown:
            break;
    }
    return -log_choose(static_cast<double>(others_), static_cast<double>(known_) + m);
}

double Outside::odds() const {
    switch (prior_.kind) {
        case Prior::Kind::total: {
            // As if the mines left were spread evenly over all cells. Open cells are among them, so
            // the result is too low, which is harmless.
            const auto cells = static_cast<double>(interior_ + others_);
            return std::max(static_cast<double>(left_), 0.5) /
                   std::max(cells - static_cast<double>(left_), 0.5);
        }
        case Prior::Kind::density:
            return prior_.density / (1.0 - prior_.density);
        case Prior::Kind::unknown:
            break;
    }
    return (static_cast<double>(known_) + 1.0) / static_cast<double>(others_ - known_ + 1);
}

double Outside::interior_risk(std::int64_t mines) const {
    switch (prior_.kind) {
        case Prior::Kind::total:
            return static_cast<double>(left_ - mines) / static_cast<double>(interior_);
        case Prior::Kind::density:
            return prior_.density;
        case Prior::Kind::unknown:
            break;
    }
    return static_cast<double>(known_ + mines + 1) / static_cast<double>(others_ + 2);
}

double Outside::interior_risk(const PolynomialOf<double>& mines) const {
    double risk = 0.0;
    for (std::size_t i = 0; i < mines.weight.size(); ++i)
        if (mines.weight[i] > 0.0)
            risk += mines.weight[i] * interior_risk(mines.fewest + static_cast<std::int64_t>(i));
    return risk;
}

std::array<double, max_degree + 1> Outside::interior_chances(std::int64_t mines, int counted,
                                                             int free) const {
    std::array<double, max_degree + 1> chances{};
    for (int k = 0; k <= counted; ++k) {
        // One cell after the other, first those that are mined: each is mined with odds that the
        // ones before leave.
        double chance = choose(counted, k);
        for (int i = 0; i < counted + free && chance > 0.0; ++i) {
            const bool mine = i < k;
            const int mined = std::min(i, k);
            double odds = 0.0;  // the chance that the next cell is mined
            switch (prior_.kind) {
                case Prior::Kind::total:
                    odds = static_cast<double>(left_ - mines - mined) /
                           static_cast<double>(interior_ - i);
                    break;
                case Prior::Kind::density:
                    odds = prior_.density;
                    break;
                case Prior::Kind::unknown:
                    odds = static_cast<double>(known_ + mines + mined + 1) /
                           static_cast<double>(others_ + i + 2);
                    break;
            }
            chance *= mine ? odds : 1.0 - odds;
        }
        chances[static_cast<std::size_t>(k)] = std::max(chance, 0.0);
    }
    return chances;
}

PolynomialOf<double> Outside::interior_mines(std::int64_t mines) const {
    const auto n = interior_;
    const auto cells = static_cast<double>(n);
    const auto clamp = [&](double mode) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(mode), 0, n);
    };
    switch (prior_.kind) {
        case Prior::Kind::total:
            return {left_ - mines, {1.0}};
        case Prior::Kind::density: {
            const double odds = prior_.density / (1.0 - prior_.density);
            return from_ratios(n, clamp((cells + 1.0) * prior_.density), [&](std::int64_t k) {
                return (cells - static_cast<double>(k)) / static_cast<double>(k + 1) * odds;
            });
        }
        case Prior::Kind::unknown:
            break;
    }
    const auto mined = static_cast<double>(known_ + mines + 1);
    const auto free = static_cast<double>(others_ - known_ - mines + 1);
    const auto ratio = [&](std::int64_t k) {
        const auto j = static_cast<double>(k);
        return (cells - j) / (j + 1.0) * (mined + j) / (cells - j - 1.0 + free);
    };
    return from_ratios(n, clamp(cells * (mined - 1.0) / std::max(mined + free - 2.0, 1.0)), ratio);
}

}  // namespace mineproof
