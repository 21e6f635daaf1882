// How independent components share the mines: products of their polynomials, kept as a tree so
// that leaving any one out costs little more than taking all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "layouts.hpp"
#include "random.hpp"
#include "rings.hpp"

namespace mineproof {

template <class Ring>
class ProductTree {
  public:
    using Value = typename Ring::Value;
    using Polynomial = PolynomialOf<Value>;

    explicit ProductTree(std::span<const Polynomial> parts) : parts_(parts.size()) {
        nodes_.reserve(2 * parts.size() + 1);
        for (const auto& part : parts)
            nodes_.push_back({part});
        if (parts.empty()) nodes_.push_back({{0, {Value{1}}}});
        // Neighbours are paired again and again: the tree is balanced.
        std::size_t begin = 0;
        while (nodes_.size() - begin > 1) {
            const auto end = nodes_.size();
            for (; begin + 1 < end; begin += 2)
                nodes_.push_back({product(begin, begin + 1), static_cast<std::int32_t>(begin),
                                  static_cast<std::int32_t>(begin + 1)});
            if (begin < end) {  // an odd one out moves up as it is
                nodes_.push_back({nodes_[begin].polynomial, static_cast<std::int32_t>(begin)});
                ++begin;
            }
        }
    }

    // All parts together, by mines.
    const Polynomial& all() const { return nodes_.back().polynomial; }
    double log_scale() const { return log_scale_; }

    // Whether weights were dropped that are negligible beside the others. Then a weight of zero
    // does not mean that the parts cannot have that many mines together.
    bool trimmed() const { return trimmed_; }

    // For every part the weight of everything else by its own mines, where `outside` weighs the
    // mines of all parts (aligned with `all()`). Real weights come each on a scale of its own.
    std::vector<std::vector<Value>> leave_one_out(std::span<const Value> outside) const {
        std::vector<std::vector<Value>> around(nodes_.size());
        around.back().assign(outside.begin(), outside.end());
        for (auto id = nodes_.size(); id-- > parts_;) {
            const auto& node = nodes_[id];
            if (node.left < 0) continue;
            const auto left = static_cast<std::size_t>(node.left);
            if (node.right < 0) {
                around[left] = std::move(around[id]);
                continue;
            }
            const auto right = static_cast<std::size_t>(node.right);
            around[left] = correlate(around[id], node.polynomial.fewest, left, right);
            around[right] = correlate(around[id], node.polynomial.fewest, right, left);
            around[id].clear();
        }
        around.resize(parts_);
        return around;
    }

    // Splits `mines` among the parts at random, by their weights.
    void draw(std::int64_t mines, Random& random, std::span<std::int64_t> part_mines) const {
        std::vector<std::int64_t> wanted(nodes_.size(), 0);
        wanted.back() = mines;
        for (auto id = nodes_.size(); id-- > 0;) {
            const auto& node = nodes_[id];
            if (id < parts_) part_mines[id] = wanted[id];
            if (node.left < 0) continue;
            const auto left = static_cast<std::size_t>(node.left);
            const auto right = static_cast<std::size_t>(node.right);
            wanted[left] = node.right < 0 ? wanted[id] : draw_left(left, right, wanted[id], random);
            if (node.right >= 0) wanted[right] = wanted[id] - wanted[left];
        }
    }

  private:
    struct Node {
        Polynomial polynomial;
        std::int32_t left = -1, right = -1;
    };

    Polynomial product(std::size_t left, std::size_t right) {
        const auto& a = nodes_[left].polynomial;
        const auto& b = nodes_[right].polynomial;
        Polynomial result{a.fewest + b.fewest, {}};
        result.weight.assign(a.weight.size() + b.weight.size() - 1, Value{0});
        for (std::size_t i = 0; i < a.weight.size(); ++i)
            for (std::size_t j = 0; j < b.weight.size(); ++j)
                result.weight[i + j] =
                    ring_.add_product(result.weight[i + j], a.weight[i], b.weight[j]);
        if constexpr (std::is_same_v<Value, double>) {
            log_scale_ += scale_down(result.weight);
            trim(result);
        }
        return result;
    }

    // Divides by a power of two where the range of a double is in sight; the logarithm of it.
    static double scale_down(std::vector<double>& weights) {
        const double largest = *std::max_element(weights.begin(), weights.end());
        if (largest < 0x1p300 && largest > 0x1p-300) return 0.0;
        const int exponent = std::ilogb(largest);
        for (auto& weight : weights)
            weight = std::ldexp(weight, -exponent);
        return exponent * std::log(2.0);
    }

    // Long products are concentrated: far ends that no answer can show are cut, so that the work
    // grows little faster than the number of parts.
    void trim(Polynomial& polynomial) {
        constexpr std::size_t long_product = 512;
        constexpr double negligible = 1e-60;
        auto& weights = polynomial.weight;
        if (weights.size() < long_product) return;
        const double least = negligible * *std::max_element(weights.begin(), weights.end());
        const auto shows = [&](double weight) { return weight > least; };
        const auto begin = std::find_if(weights.begin(), weights.end(), shows);
        const auto end = std::find_if(weights.rbegin(), weights.rend(), shows).base();
        if (begin == weights.begin() && end == weights.end()) return;
        trimmed_ = true;
        polynomial.fewest += begin - weights.begin();
        weights = std::vector<double>(begin, end);
    }

    // What lies outside `inner` by its mines: its sibling and what is around both.
    std::vector<Value> correlate(const std::vector<Value>& around, std::int64_t around_fewest,
                                 std::size_t inner, std::size_t sibling) const {
        const auto& own = nodes_[inner].polynomial;
        const auto& other = nodes_[sibling].polynomial;
        std::vector<Value> result(own.weight.size(), Value{0});
        const auto shift = own.fewest + other.fewest - around_fewest;
        const auto limit = static_cast<std::int64_t>(around.size());
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(own.weight.size()); ++i) {
            const auto first = std::max<std::int64_t>(0, -(i + shift));
            const auto last = std::min<std::int64_t>(static_cast<std::int64_t>(other.weight.size()),
                                                     limit - (i + shift));
            Value sum{0};
            for (auto j = first; j < last; ++j)
                sum = ring_.add_product(sum, other.weight[static_cast<std::size_t>(j)],
                                        around[static_cast<std::size_t>(i + j + shift)]);
            result[static_cast<std::size_t>(i)] = sum;
        }
        if constexpr (std::is_same_v<Value, double>)
            if (*std::max_element(result.begin(), result.end()) > 0.0) scale_down(result);
        return result;
    }

    std::int64_t draw_left(std::size_t left, std::size_t right, std::int64_t mines,
                           Random& random) const {
        const auto& a = nodes_[left].polynomial;
        const auto& b = nodes_[right].polynomial;
        const auto weight = [&](std::int64_t m) {
            const auto j = mines - m - b.fewest;
            if (j < 0 || j >= static_cast<std::int64_t>(b.weight.size())) return 0.0;
            return static_cast<double>(a.weight[static_cast<std::size_t>(m - a.fewest)]) *
                   static_cast<double>(b.weight[static_cast<std::size_t>(j)]);
        };
        double total = 0.0;
        for (auto m = a.fewest; m <= a.most(); ++m)
            total += weight(m);
        double left_over = random.uniform() * total;
        std::int64_t chosen = a.fewest;
        for (auto m = a.fewest; m <= a.most(); ++m) {
            if (weight(m) == 0.0) continue;
            chosen = m;
            left_over -= weight(m);
            if (left_over < 0.0) break;
        }
        return chosen;
    }

    Ring ring_;
    std::vector<Node> nodes_;  // the parts, then products, the whole last
    std::size_t parts_;
    double log_scale_ = 0.0;
    bool trimmed_ = false;
};

}  // namespace mineproof
