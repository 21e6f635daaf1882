#include "posterior/solver.hpp"

#include <utility>

namespace mineproof {

Posterior Solver::infer(Question question, Budget budget, Precision precision) {
    if (!follow(question)) {
        position_.reset();
        position_.emplace(question, cache_, budget);
    }
    if (position_->possible() && position_->within(budget)) return {*position_, budget};
    return {std::move(question), budget, precision, &cache_};
}

bool Solver::follow(const Question& question) {
    if (!position_ || !position_->possible()) return false;
    const auto& last = position_->question();
    return last.topology == question.topology && last.prior == question.prior &&
           last.channel == question.channel && last.trust_flags == question.trust_flags &&
           position_->follow(question.cells);
}

}  // namespace mineproof
