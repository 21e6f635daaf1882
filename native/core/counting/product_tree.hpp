// How independent components share the mines: the product of their polynomials. It is stored as a
// tree, so that the products without any one component cost little more than the whole product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "board/checkpoint.hpp"
#include "board/random.hpp"
#include "counting/layouts.hpp"
#include "counting/rings.hpp"

namespace mineproof {

template <class Ring>
class ProductTree {
  public:
    using Value = typename Ring::Value;
    using Polynomial = PolynomialOf<Value>;

    ProductTree() = default;
    explicit ProductTree(std::span<const Polynomial> parts) { build(parts, false); }

    // Multiplies these parts, in the memory of the last ones. Long products are concentrated around
    // their mean. `may_trim` allows cutting their negligible ends, so that the work grows little
    // faster than the number of parts.
    void build(std::span<const Polynomial> parts, bool may_trim) {
        parts_ = parts.size();
        may_trim_ = may_trim;
        used_ = 0;
        for (const auto& part : parts)
            add().polynomial = part;
        if (parts.empty()) add().polynomial = {0, {ring_.from_weight(Wide::of(1.0))}};
        // Pairs neighbours level by level, so the tree is balanced.
        std::size_t begin = 0;
        while (used_ - begin > 1) {
            const auto end = used_;
            for (; begin + 1 < end; begin += 2)
                multiply(begin, begin + 1);
            if (begin < end) {  // an odd node moves up unchanged
                auto& node = add();
                node.polynomial = nodes_[begin].polynomial;
                node.left = static_cast<std::int32_t>(begin);
                ++begin;
            }
        }
    }

    // The product of all parts, by mines.
    const Polynomial& all() const { return nodes_[used_ - 1].polynomial; }

    // Whether ends were cut. If so, a weight of zero does not prove that the parts cannot have that
    // many mines together.
    bool trimmed() const {
        return std::ranges::any_of(std::span(nodes_).first(used_), [](const Node& node) {
            return node.cut_below || node.cut_above;
        });
    }

    // For every part, finds the weight of everything else by the mines of the part. `outside` is a
    // weight by the mines of all parts, aligned with `all()`. Returns false if something was cut
    // that matters.
    bool leave_one_out(std::span<const Value> outside) {
        bool sound = true;
        nodes_[used_ - 1].around.assign(outside.begin(), outside.end());
        for (auto id = used_; id-- > parts_;) {
            auto& node = nodes_[id];
            if constexpr (std::is_same_v<Value, Wide>) sound = sound && cuts_are_sound(node);
            if (node.left < 0) continue;
            const auto left = static_cast<std::size_t>(node.left);
            if (node.right < 0) {
                std::swap(nodes_[left].around, node.around);
                continue;
            }
            const auto right = static_cast<std::size_t>(node.right);
            correlate(node, nodes_[left], nodes_[right]);
            correlate(node, nodes_[right], nodes_[left]);
        }
        return sound;
    }
    const std::vector<Value>& around(std::size_t part) const { return nodes_[part].around; }
    std::vector<Value>& around(std::size_t part) { return nodes_[part].around; }

    // Splits `mines` among the parts at random by their weights.
    void draw(std::int64_t mines, Random& random, std::span<std::int64_t> part_mines) const {
        std::vector<std::int64_t> wanted(used_, 0);
        wanted.back() = mines;
        for (auto id = used_; id-- > 0;) {
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
        bool cut_below = false, cut_above = false;
        std::vector<Value> around;  // the weight of everything else
    };

    // A node in the memory of an earlier one, if there was one.
    Node& add() {
        if (used_ == nodes_.size()) nodes_.emplace_back();
        auto& node = nodes_[used_++];
        node.left = node.right = -1;
        node.cut_below = node.cut_above = false;
        return node;
    }

    void multiply(std::size_t left, std::size_t right) {
        auto& node = add();
        const auto& a = nodes_[left].polynomial;
        const auto& b = nodes_[right].polynomial;
        node.left = static_cast<std::int32_t>(left);
        node.right = static_cast<std::int32_t>(right);
        node.polynomial.fewest = a.fewest + b.fewest;
        auto& weights = node.polynomial.weight;
        weights.assign(a.weight.size() + b.weight.size() - 1, Value{});
        add_products(a.weight, b.weight, weights,
                     [&](const auto& ring, const auto& x, const auto& y, auto& sums) {
                         Work work;
                         for (std::size_t i = 0; i < x.size(); ++i) {
                             work.add(std::ssize(y));
                             for (std::size_t j = 0; j < y.size(); ++j)
                                 ring.add_product(sums[i + j], x[i], y[j]);
                         }
                     });
        if constexpr (std::is_same_v<Value, Wide>)
            if (may_trim_ && weights.size() > long_product) trim(node);
    }

    static constexpr std::size_t long_product = 128;

    static void trim(Node& node) {
        auto& weights = node.polynomial.weight;
        const auto largest = *std::max_element(weights.begin(), weights.end());
        const auto least = largest * Wide::of(1e-40);
        const auto shows = [&](Wide weight) { return least < weight; };
        const auto begin = std::find_if(weights.begin(), weights.end(), shows);
        const auto end = std::find_if(weights.rbegin(), weights.rend(), shows).base();
        node.cut_below = begin != weights.begin();
        node.cut_above = end != weights.end();
        node.polynomial.fewest += begin - weights.begin();
        weights = std::vector<Wide>(begin, end);
    }

    // Whether the weight at the cut ends is negligible in the final answer as well.
    static bool cuts_are_sound(const Node& node) {
        if (!node.cut_below && !node.cut_above) return true;
        const auto& weights = node.polynomial.weight;
        const auto& around = node.around;
        Wide largest;
        for (std::size_t i = 0; i < weights.size(); ++i)
            largest = std::max(largest, weights[i] * around[i]);
        const auto least = largest * Wide::of(1e-22);
        const auto matters = [&](std::size_t i) { return !(weights[i] * around[i] < least); };
        return !(node.cut_below && matters(0)) && !(node.cut_above && matters(weights.size() - 1));
    }

    // The weight of everything outside `inner` by its mines: its sibling and what is around both.
    void correlate(const Node& both, Node& inner, const Node& sibling) const {
        const auto shift =
            inner.polynomial.fewest + sibling.polynomial.fewest - both.polynomial.fewest;
        inner.around.assign(inner.polynomial.weight.size(), Value{});
        const auto work = [&](const auto& ring, const auto& x, const auto& y, auto& sums) {
            Work done;
            for (std::size_t j = 0; j < x.size(); ++j) {
                done.add(std::ssize(sums));
                const auto skip = static_cast<std::int64_t>(j) + shift;
                const auto first = std::max<std::int64_t>(0, -skip);
                const auto last =
                    std::min<std::int64_t>(static_cast<std::int64_t>(sums.size()),
                                           static_cast<std::int64_t>(y.size()) - skip);
                for (auto i = first; i < last; ++i)
                    ring.add_product(sums[static_cast<std::size_t>(i)], x[j],
                                     y[static_cast<std::size_t>(i + skip)]);
            }
        };
        add_products(sibling.polynomial.weight, both.around, inner.around, work);
    }

    // Adds products of weights to sums that are zero. Long ones use plain doubles if the range of
    // the weights allows it.
    template <class Work>
    void add_products(const std::vector<Value>& a, const std::vector<Value>& b,
                      std::vector<Value>& sums, Work work) const {
        if constexpr (std::is_same_v<Value, Wide>) {
            constexpr std::size_t large = 4096;
            if (a.size() * b.size() >= large) {
                const auto x = relative(a);
                const auto y = relative(b);
                if (x && y) {
                    std::vector<double> doubles(sums.size(), 0.0);
                    work(RealRing{}, x->values, y->values, doubles);
                    const auto unit = x->unit * y->unit;
                    for (std::size_t i = 0; i < sums.size(); ++i)
                        sums[i] = Wide::of(doubles[i]) * unit;
                    return;
                }
            }
        }
        work(ring_, a, b, sums);
    }

    struct Relative {
        Wide unit;
        std::vector<double> values;
    };

    // The weights relative to the largest one, unless one is too small for products of two.
    static std::optional<Relative> relative(const std::vector<Wide>& weights) {
        Relative result;
        result.unit = *std::max_element(weights.begin(), weights.end());
        if (!result.unit.positive()) return std::nullopt;
        result.values.reserve(weights.size());
        for (const auto weight : weights) {
            const double value = ratio(weight, result.unit);
            if (value > 0.0 && value < 0x1p-450) return std::nullopt;
            result.values.push_back(value);
        }
        return result;
    }

    std::int64_t draw_left(std::size_t left, std::size_t right, std::int64_t mines,
                           Random& random) const {
        const auto& a = nodes_[left].polynomial;
        const auto& b = nodes_[right].polynomial;
        const auto weight = [&](std::int64_t m) {
            const auto j = mines - m - b.fewest;
            if (j < 0 || j >= static_cast<std::int64_t>(b.weight.size())) return Wide{};
            return a.weight[static_cast<std::size_t>(m - a.fewest)] *
                   b.weight[static_cast<std::size_t>(j)];
        };
        Wide total;
        for (auto m = a.fewest; m <= a.most(); ++m)
            total = total + weight(m);
        double left_over = random.uniform();
        std::int64_t chosen = a.fewest;
        for (auto m = a.fewest; m <= a.most(); ++m) {
            if (!weight(m).positive()) continue;
            chosen = m;
            left_over -= ratio(weight(m), total);
            if (left_over < 0.0) break;
        }
        return chosen;
    }

    Ring ring_;
    std::vector<Node> nodes_;  // the parts, then products
    std::size_t used_ = 0;     // of the nodes; the last one is the whole product
    std::size_t parts_ = 0;
    bool may_trim_ = false;
};

}  // namespace mineproof
