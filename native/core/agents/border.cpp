#include "agents/border.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "agents/channels.hpp"
#include "agents/decimal.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

namespace {

// Under which a clue is equally likely for all counts that it allows.
Channel make_at_least() {
    Channel channel;
    channel.exact = false;
    channel.loses_clues = true;
    for (int neighbours = 0; neighbours <= max_degree; ++neighbours)
        for (int count = 0; count <= neighbours; ++count) {
            for (int seen = 0; seen <= count; ++seen)
                channel.likelihood(neighbours, count, seen) = 1.0 / (neighbours + 1);
            channel.likelihood(neighbours, count, no_clue_symbol) =
                1 - (count + 1.0) / (neighbours + 1);
        }
    return channel;
}

const auto exact_clues = std::make_shared<const Channel>();
const auto at_least = std::make_shared<const Channel>(make_at_least());

}  // namespace

void BorderPlayer::start(const Question& question) {
    optimistic_ = is_optimistic(*question.channel);
    parts_.clear();
}

Decision BorderPlayer::choose(const Question& question) {
    search(question);
    if (auto safe = clues().open_known_safe()) return *safe;
    if (auto settled = settle_agreed()) return *settled;
    if (auto opening = open_least_risky(question)) return *opening;
    return clues().guess(random(), "nothing is known about any cell");
}

// Parts that have not changed since the last decision are not searched again.
void BorderPlayer::search(const Question& question) {
    Limits limits;
    clues().all().for_each([&](std::int32_t clue) {
        const int left = clues().left(clue);
        const Limit limit(clues(), clue, left, optimistic_ ? clues().unknown(clue) : left);
        if (limit.can_be_met()) limits.push_back(limit);
    });
    std::vector<Limits> split;
    if (split_ && !optimistic_)
        split = borders(limits, question.cells.size());
    else if (!limits.empty())
        split.push_back(std::move(limits));
    auto before = std::exchange(parts_, {});
    border_.reset(question.cells.size());
    share_.resize(question.cells.size());
    for (auto& border : split) {
        Part part{std::move(border)};
        const auto known = std::ranges::find(before, part.limits, &Part::limits);
        if (known != before.end() && !known->cells.empty())
            part = std::move(*known);
        else if (optimistic_ || !visit(part))
            count(part, question);
        for (std::size_t i = 0; i < part.cells.size(); ++i) {
            border_.set(part.cells[i], true);
            share_[at(part.cells[i])] = part.shares[i];
        }
        parts_.push_back(std::move(part));
    }
}

// Visits the assignments one by one. Returns false if there are too many.
bool BorderPlayer::visit(Part& part) const {
    auto order = clue_by_clue(part.limits);
    Assignments assignments(part.limits, order, steps_);
    std::vector<std::int32_t> mined(order.size());
    std::int32_t valid = 0;
    for (; assignments.next(); ++valid)
        for (std::size_t i = 0; i < mined.size(); ++i)
            mined[i] += assignments.mines()[i];
    if (assignments.exhausted()) return false;
    if (valid == 0) return true;
    part.cells = std::move(order);
    for (const auto mines : mined)
        part.shares.push_back(static_cast<double>(mines) / valid);
    return true;
}

void BorderPlayer::count(Part& part, const Question& question) {
    // Only the clues of the part are read. "At least 0" says nothing, unlike a missing clue.
    auto cells = question.cells;
    for (auto& code : cells)
        if (cell::is_clue(code)) code = optimistic_ ? std::int8_t{0} : cell::no_clue;
    for (const auto& limit : part.limits)
        cells[at(limit.clue)] = question.cells[at(limit.clue)];
    // All assignments are equally likely.
    const Prior even{Prior::Kind::density, 0, 0.5};
    if (!solver_) solver_.emplace();
    try {
        const auto posterior = solver_->infer_if_possible(
            {question.topology, std::move(cells), even, optimistic_ ? at_least : exact_clues, true},
            Budget{}, Precision::may_estimate);
        if (!posterior) return;
        part.cells = CellLimits(part.limits).cells();
        for (const auto cell : part.cells)
            part.shares.push_back(posterior->risk()[at(cell)]);
    } catch (const BudgetExceeded&) {
    } catch (...) {
        solver_.reset();  // it may have been stopped in the middle of a move
        throw;
    }
}

std::optional<Decision> BorderPlayer::settle_agreed() const {
    Decision decision{{}, [] { return "all assignments of the border agree"; }};
    border_.for_each([&](std::int32_t cell) {
        if (share_[at(cell)] == 1.0) decision.actions.push_back(certainly(MoveKind::flag, cell));
    });
    border_.for_each([&](std::int32_t cell) {
        if (share_[at(cell)] == 0.0) decision.actions.push_back(certainly(MoveKind::open, cell));
    });
    if (decision.actions.empty()) return std::nullopt;
    return decision;
}

std::optional<Decision> BorderPlayer::open_least_risky(const Question& question) {
    double lowest = 1.0;
    border_.for_each([&](std::int32_t cell) { lowest = std::min(lowest, share_[at(cell)]); });
    const auto cells = clues().openable().size();
    const auto left = clues().mines_left(question.prior);
    if (cells > border_.size() && left) {
        // Wrong flags, under noisy clues, may leave fewer mines than none or more than fit.
        const auto mines = std::clamp<std::int64_t>(*left, 0, cells);
        const double risk = static_cast<double>(mines) / cells;
        if (compare9(risk, lowest) < 0.0) {
            auto beyond = clues().openable();
            border_.for_each([&](std::int32_t cell) { beyond.set(cell, false); });
            const auto number = random().below(at(beyond.size()));
            const auto cell = beyond.nth(static_cast<std::int32_t>(number));
            return Decision{{{{MoveKind::open, cell}, false, risk}}, [risk] {
                                return "beyond the border the risk is only " + three_digits(risk);
                            }};
        }
    }
    if (border_.empty()) return std::nullopt;
    const auto best =
        border_.find([&](std::int32_t cell) { return compare9(share_[at(cell)], lowest) == 0.0; });
    return Decision{{{{MoveKind::open, best}, false, share_[at(best)]}}, [lowest] {
                        return "the lowest share of assignments with a mine, " +
                               three_digits(round9(lowest));
                    }};
}

}  // namespace mineproof
