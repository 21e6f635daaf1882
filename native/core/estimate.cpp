#include "estimate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "errors.hpp"
#include "reckoning.hpp"

namespace mineproof {

namespace {

constexpr std::size_t replicates = 32;
constexpr std::size_t fewest_states = 32;
constexpr std::size_t most_states = 4096;
// Replicates that carry weight, of all: with fewer, the average rests on too little.
constexpr double enough = 12.0;
// However little exact counting may spend, a replicate may spend this much.
constexpr Budget least{.nodes = 6'000'000, .bytes = std::int64_t{64} << 20};

// One independent try: the whole answer from thinned tables, and what it weighs.
struct Replicate {
    double log_weight;
    std::vector<double> values;  // risks of all boxes, then of the interior
};

std::vector<double> values_of(const Reckoning& reckoning, Parts parts, const Frontier& frontier,
                              const Outside& outside) {
    std::vector<double> result;
    const auto& around = reckoning.around_parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto component = frontier.component(i);
        const auto values = parts[i]->box_values(around[i]);
        for (std::size_t box = 0; box < component.boxes.size(); ++box)
            result.push_back(
                mean_share(std::span(values).subspan(box * values_per_box, values_per_box),
                           component.boxes[box].size));
    }
    double interior = 0.0;
    const auto& chances = reckoning.mines();
    for (std::size_t i = 0; i < chances.weight.size(); ++i) {
        const auto m = chances.fewest + static_cast<std::int64_t>(i);
        if (outside.interior() > 0) interior += chances.weight[i] * outside.interior_risk(m);
    }
    result.push_back(interior);
    return result;
}

class Estimator {
  public:
    Estimator(const Frontier& frontier, Parts parts, const Outside& outside, Budget budget)
        : frontier_(frontier), known_(parts.begin(), parts.end()), outside_(outside) {
        each_ = {std::max(budget.nodes / static_cast<std::int64_t>(replicates), least.nodes),
                 std::max(budget.bytes, least.bytes)};
        for (std::size_t i = 0; i < known_.size(); ++i) {
            if (known_[i]) continue;
            wide_.push_back(i);
            plans_.push_back(make_sweep_plan(frontier.component(i)));
        }
    }

    // Nothing where a replicate costs more than its share of the budget.
    std::optional<std::vector<Replicate>> run(std::size_t states) const {
        std::vector<Replicate> result;
        for (std::size_t r = 0; r < replicates; ++r) {
            Random random(r);
            auto parts = known_;
            auto budget = each_;
            bool alive = true;
            for (std::size_t w = 0; w < wide_.size() && alive; ++w) {
                auto layouts = Layouts::estimate(frontier_.component(wide_[w]), plans_[w], budget,
                                                 states, outside_.odds(), random);
                if (!layouts) return std::nullopt;
                alive = layouts->possible();
                parts[wide_[w]] = std::make_shared<const Layouts>(std::move(*layouts));
            }
            if (!alive) continue;  // a weight of zero
            const Reckoning reckoning(parts, outside_);
            if (reckoning.fits())
                result.push_back(
                    {reckoning.log_weight(), values_of(reckoning, parts, frontier_, outside_)});
        }
        return result;
    }

  private:
    const Frontier& frontier_;
    std::vector<std::shared_ptr<const Layouts>> known_;
    const Outside& outside_;
    Budget each_;
    std::vector<std::size_t> wide_;
    std::vector<Plan> plans_;
};

// Averages by weight: a ratio of unbiased sums, with the error of such a ratio.
std::vector<Estimate::Value> averages(const std::vector<Replicate>& tries,
                                      const std::vector<double>& weights, double total) {
    std::vector<Estimate::Value> result(tries[0].values.size());
    for (std::size_t v = 0; v < result.size(); ++v) {
        double mean = 0.0;
        for (std::size_t r = 0; r < tries.size(); ++r)
            mean += weights[r] * tries[r].values[v];
        mean /= total;
        double squares = 0.0;
        for (std::size_t r = 0; r < tries.size(); ++r)
            squares += std::pow(weights[r] * (tries[r].values[v] - mean), 2);
        result[v] = {mean, std::sqrt(squares * replicates / (replicates - 1.0)) / total};
    }
    return result;
}

// A value that every try puts at an end may still lie off it, by about one try's share.
Estimate::Value off_the_ends(Estimate::Value value) {
    constexpr double share = 1.0 / replicates;
    if (value.mean > 0.0 && value.mean < 1.0) return value;
    return {std::clamp(value.mean, share / 2, 1.0 - share / 2), share};
}

}  // namespace

Estimate estimate(const Frontier& frontier, Parts parts, const Outside& outside, Budget budget) {
    const Estimator estimator(frontier, parts, outside, budget);
    std::optional<std::vector<Replicate>> tries;
    for (auto states = most_states; !tries && states >= fewest_states; states /= 2)
        tries = estimator.run(states);
    if (!tries) throw BudgetExceeded("the frontier is too wide to count, and even to estimate");

    double largest = -INFINITY;
    for (const auto& one : *tries)
        largest = std::max(largest, one.log_weight);
    std::vector<double> weights;
    double total = 0.0;
    double squares = 0.0;
    for (const auto& one : *tries) {
        weights.push_back(std::exp(one.log_weight - largest));
        total += weights.back();
        squares += weights.back() * weights.back();
    }
    if (tries->empty() || total * total / squares < enough)
        throw BudgetExceeded(
            "the frontier is too wide to count within the budget, and estimates of it disagree");

    const auto values = averages(*tries, weights, total);
    Estimate result;
    result.log_weight = largest + std::log(total / replicates);
    auto value = values.begin();
    for (std::size_t i = 0; i < frontier.components(); ++i) {
        const auto boxes = static_cast<std::ptrdiff_t>(frontier.component(i).boxes.size());
        result.box_risk.emplace_back(value, value + boxes);
        value += boxes;
        if (!parts[i])
            for (auto& risk : result.box_risk.back())
                risk = off_the_ends(risk);
    }
    result.interior_risk = *value;
    return result;
}

}  // namespace mineproof
