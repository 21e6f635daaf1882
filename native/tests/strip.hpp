// The truth on long boards of few rows, by a transfer matrix from column to column in long doubles.
// Their range is so wide that a zero is a proof in these tests.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

namespace mineproof {

class Strip {
  public:
    using Real = long double;

    Real weight = 0.0L;  // of all layouts that fit, with the prior; 0 if none does
    std::vector<double> risk;
    std::vector<std::uint8_t> may_be_mine, may_be_free;
    std::vector<double> totals;  // chance of each number of mines on the board
    std::int64_t fewest = 0;     // the fewest and the most mines that the clues allow
    std::int64_t most = -1;

    // Whether a long double has a wider range than a double on this platform.
    static constexpr bool trustworthy = std::numeric_limits<Real>::max_exponent > 16000;

    explicit Strip(const Question& question)
        : question_(question),
          rows_(question.topology->rows()),
          cols_(question.topology->cols()),
          sets_(1u << rows_) {
        go_forwards();
        find_totals();
        if (weight == 0.0L) return;
        go_backwards();
        find_risks();
    }

    // The chances that the cell is safe and shows each symbol.
    std::array<double, symbols> clue_chances(std::int32_t cell) const {
        std::array<double, symbols> result{};
        const int row = cell / cols_;
        const int col = cell % cols_;
        const int degree = question_.topology->degree(cell);
        each_pair(col, [&](unsigned left, unsigned own) {
            if (own >> row & 1) return;
            each_next(col, left, own, [&](unsigned right, Real share) {
                const int count = count_at(row, left, own, right);
                const Real chance = share * met(col, left, own, right) / weight;
                for (int seen = 0; seen < symbols; ++seen)
                    result[at(seen)] +=
                        static_cast<double>(chance * likelihood(degree, count, seen));
            });
        });
        return result;
    }

  private:
    // Weights by mines so far, for one pair of columns.
    struct Weights {
        std::int64_t fewest = 0;
        std::vector<Real> ahead, back;
    };

    Weights& pair(int col, unsigned left, unsigned own) {
        return pairs_[(at(col) * sets_ + left) * sets_ + own];
    }
    const Weights& pair(int col, unsigned left, unsigned own) const {
        return pairs_[(at(col) * sets_ + left) * sets_ + own];
    }

    bool allowed(int col, unsigned set) const {
        if (col < 0 || col >= cols_) return set == 0;
        for (int row = 0; row < rows_; ++row) {
            const auto code = question_.cells[at(row * cols_ + col)];
            const bool mine = set >> row & 1;
            const bool flag = code == cell::flagged;
            if (code == cell::closed || (flag && !question_.trust_flags)) continue;
            if (mine != (code == cell::exploded || flag)) return false;
        }
        return true;
    }

    int count_at(int row, unsigned left, unsigned own, unsigned right) const {
        const unsigned rows = (7u << row >> 1) & (sets_ - 1);
        return std::popcount(left & rows) + std::popcount(right & rows) +
               std::popcount(own & rows & ~(1u << row));
    }

    double likelihood(int degree, int count, int seen) const {
        if (question_.channel->exact) return count == seen ? 1.0 : 0.0;
        return question_.channel->likelihood(degree, count, seen);
    }

    Real clue_weight(int col, unsigned left, unsigned own, unsigned right) const {
        Real result = 1.0L;
        for (int row = 0; row < rows_; ++row) {
            const auto cell = row * cols_ + col;
            const auto code = question_.cells[at(cell)];
            if (code < 0 && !(code == cell::no_clue && question_.channel->loses_clues)) continue;
            result *= likelihood(question_.topology->degree(cell), count_at(row, left, own, right),
                                 code < 0 ? no_clue_symbol : code);
        }
        return result;
    }

    template <class See>
    void each_pair(int col, See see) const {
        for (unsigned left = 0; left < sets_; ++left)
            for (unsigned own = 0; own < sets_; ++own)
                if (!pair(col, left, own).ahead.empty()) see(left, own);
    }

    // The next columns that the clues of this one allow, with the weight of those clues.
    template <class See>
    void each_next(int col, unsigned left, unsigned own, See see) const {
        for (unsigned right = 0; right < sets_; ++right) {
            if (!allowed(col + 1, right)) continue;
            const Real share = clue_weight(col, left, own, right);
            if (share > 0.0L) see(right, share);
        }
    }

    void go_forwards() {
        pairs_.resize(at(cols_ + 1) * sets_ * sets_);
        for (unsigned own = 0; own < sets_; ++own)
            if (allowed(0, own)) pair(0, 0, own) = {std::popcount(own), {1.0L}, {}};
        for (int col = 0; col < cols_; ++col)
            each_pair(col, [&](unsigned left, unsigned own) {
                each_next(col, left, own, [&](unsigned right, Real share) {
                    const auto& from = pair(col, left, own);
                    add(pair(col + 1, own, right), from.fewest + std::popcount(right), from.ahead,
                        share);
                });
            });
    }

    static void add(Weights& to, std::int64_t first, const std::vector<Real>& weights, Real share) {
        if (to.ahead.empty()) to.fewest = first;
        if (first < to.fewest) {
            to.ahead.insert(to.ahead.begin(), at(to.fewest - first), 0.0L);
            to.fewest = first;
        }
        const auto skip = at(first - to.fewest);
        to.ahead.resize(std::max(to.ahead.size(), skip + weights.size()), 0.0L);
        for (std::size_t i = 0; i < weights.size(); ++i)
            to.ahead[skip + i] += share * weights[i];
    }

    Real prior_weight(std::int64_t mines) const {
        const auto& prior = question_.prior;
        const auto cells = static_cast<Real>(question_.cells.size());
        const auto m = static_cast<Real>(mines);
        switch (prior.kind) {
            case Prior::Kind::total:
                return mines == prior.mines ? 1.0L : 0.0L;
            case Prior::Kind::density:
                return std::pow(static_cast<Real>(prior.density), m) *
                       std::pow(1.0L - static_cast<Real>(prior.density), cells - m);
            case Prior::Kind::unknown:
                break;
        }
        return std::exp(std::lgamma(m + 1.0L) + std::lgamma(cells - m + 1.0L) -
                        std::lgamma(cells + 2.0L));
    }

    // An empty column follows the last one.
    void find_totals() {
        totals.assign(question_.cells.size() + 1, 0.0);
        std::vector<Real> shares(totals.size(), 0.0L);
        fewest = static_cast<std::int64_t>(totals.size());
        for (unsigned last = 0; last < sets_; ++last) {
            auto& end = pair(cols_, last, 0);
            for (std::size_t i = 0; i < end.ahead.size(); ++i) {
                const auto mines = end.fewest + static_cast<std::int64_t>(i);
                if (end.ahead[i] > 0.0L) {
                    fewest = std::min(fewest, mines);
                    most = std::max(most, mines);
                }
                end.back.push_back(prior_weight(mines));
                shares[at(mines)] += end.ahead[i] * end.back[i];
            }
        }
        for (const auto share : shares)
            weight += share;
        if (weight == 0.0L) return;
        for (std::size_t m = 0; m < shares.size(); ++m)
            totals[m] = static_cast<double>(shares[m] / weight);
    }

    void go_backwards() {
        for (int col = cols_ - 1; col >= 0; --col)
            each_pair(col, [&](unsigned left, unsigned own) {
                auto& from = pair(col, left, own);
                from.back.assign(from.ahead.size(), 0.0L);
                each_next(col, left, own, [&](unsigned right, Real share) {
                    const auto& to = pair(col + 1, own, right);
                    const auto skip = at(from.fewest + std::popcount(right) - to.fewest);
                    for (std::size_t i = 0; i < from.back.size(); ++i)
                        from.back[i] += share * to.back[skip + i];
                });
            });
    }

    Real met(int col, unsigned left, unsigned own, unsigned right) const {
        const auto& from = pair(col, left, own);
        const auto& to = pair(col + 1, own, right);
        const auto skip = at(from.fewest + std::popcount(right) - to.fewest);
        Real sum = 0.0L;
        for (std::size_t i = 0; i < from.ahead.size(); ++i)
            sum += from.ahead[i] * to.back[skip + i];
        return sum;
    }

    void find_risks() {
        risk.assign(question_.cells.size(), 0.0);
        may_be_mine.assign(risk.size(), 0);
        may_be_free.assign(risk.size(), 0);
        for (int col = 0; col < cols_; ++col) {
            std::vector<Real> mined(at(rows_), 0.0L);
            each_pair(col, [&](unsigned left, unsigned own) {
                const auto& weights = pair(col, left, own);
                Real sum = 0.0L;
                for (std::size_t i = 0; i < weights.ahead.size(); ++i)
                    sum += weights.ahead[i] * weights.back[i];
                if (sum == 0.0L) return;
                for (int row = 0; row < rows_; ++row) {
                    const bool mine = own >> row & 1;
                    (mine ? may_be_mine : may_be_free)[at(row * cols_ + col)] = 1;
                    if (mine) mined[at(row)] += sum;
                }
            });
            for (int row = 0; row < rows_; ++row)
                risk[at(row * cols_ + col)] = static_cast<double>(mined[at(row)] / weight);
        }
    }

    const Question& question_;
    int rows_, cols_;
    unsigned sets_;
    std::vector<Weights> pairs_;  // by column, set of the column before and own set
};

inline constexpr double tolerance = 1e-9;

inline bool near(double a, double b) {
    return std::abs(a - b) <= tolerance;
}

// Compares every answer of the core with the strip's.
inline void compare(const Question& question, const Strip& truth) {
    const Posterior posterior(question, {}, Precision::exact_only);
    double worst = 0.0;
    std::vector<std::int32_t> safe, mined;
    for (std::int32_t c = 0; c < question.topology->cells(); ++c) {
        if (!cell::is_closed(question.cells[at(c)])) continue;
        worst = std::max(worst, std::abs(posterior.risk()[at(c)] - truth.risk[at(c)]));
        CHECK(!std::isnan(posterior.risk()[at(c)]));
        if (!truth.may_be_mine[at(c)]) safe.push_back(c);
        if (!truth.may_be_free[at(c)]) mined.push_back(c);
    }
    CHECK(worst <= tolerance);
    CHECK(posterior.safe() == safe);
    CHECK(posterior.mined() == mined);
    const auto totals = posterior.total_distribution();
    CHECK(totals.size() <= truth.totals.size());
    for (std::size_t m = 0; m < truth.totals.size(); ++m)
        CHECK(near(m < totals.size() ? totals[m] : 0.0, truth.totals[m]));
    if (question.channel->exact && question.prior.kind == Prior::Kind::total) {
        const auto expected = static_cast<double>(std::log(truth.weight));
        CHECK(std::abs(posterior.log_weight() - expected) < tolerance * (1.0 + std::abs(expected)));
    }
    for (const auto c : {0, question.topology->cols() / 2, question.topology->cells() - 1}) {
        if (!cell::is_closed(question.cells[at(c)])) continue;
        const auto chances = posterior.clue_chances(c);
        const auto expected = truth.clue_chances(c);
        for (int seen = 0; seen < symbols; ++seen)
            CHECK(near(chances[at(seen)], expected[at(seen)]));
    }
}

inline void compare(const Question& question) {
    const Strip truth(question);
    CHECK(truth.weight > 0.0L);
    if (truth.weight > 0.0L) compare(question, truth);
}

}  // namespace mineproof
