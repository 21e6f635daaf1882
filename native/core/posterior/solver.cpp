#include "posterior/solver.hpp"

#include <utility>

#include "posterior/errors.hpp"

namespace mineproof {

Posterior Solver::infer(Question question, Budget budget, Precision precision) {
    move_to(question, budget);
    if (position_->possible() && position_->within(budget))
        if (auto conclusion = conclude(position_->layouts(), position_->outside()))
            return {*position_, std::move(*conclusion)};
    return {std::move(question), budget, precision, &cache_};
}

std::optional<Posterior> Solver::infer_if_possible(Question question, Budget budget,
                                                   Precision precision) {
    move_to(question, budget);
    if (!position_->possible()) return std::nullopt;
    if (!position_->within(budget)) try {
            return Posterior{std::move(question), budget, precision, &cache_};
        } catch (const Contradiction&) {
            return std::nullopt;
        }
    auto conclusion = conclude(position_->layouts(), position_->outside());
    if (!conclusion) return std::nullopt;
    return Posterior{*position_, std::move(*conclusion)};
}

bool Solver::fits(Question question, Budget budget) {
    move_to(question, budget);
    if (!position_->possible()) return false;
    if (position_->within(budget))
        return Combination(position_->layouts(), position_->outside()).fits();
    return infer_if_possible(std::move(question), budget, Precision::exact_only).has_value();
}

void Solver::move_to(const Question& question, Budget budget) {
    if (follow(question)) return;
    position_.reset();
    position_.emplace(question, cache_, budget);
}

bool Solver::follow(const Question& question) {
    if (!position_ || !position_->possible()) return false;
    const auto& last = position_->question();
    return last.topology == question.topology && last.prior == question.prior &&
           last.channel == question.channel && last.trust_flags == question.trust_flags &&
           position_->follow(question.cells);
}

}  // namespace mineproof
