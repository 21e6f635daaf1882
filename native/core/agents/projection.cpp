#include "agents/projection.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

namespace {

constexpr double risky_share = 0.8;
constexpr double skip_chance = 0.2;

// Finds assignments of one border that keep the limits, or if there are none, only their upper
// bounds.
class Projections {
  public:
    Projections(Limits limits, std::int64_t steps)
        : limits_(std::move(limits)),
          cells_(CellLimits(limits_).cells()),
          // Without lower bounds the first assignment needs no backtracking: two steps per cell.
          steps_(steps + 2 * std::ssize(cells_)),
          search_(limits_, cells_, steps_) {}

    bool next() {
        if (search_.next()) return found_ = true;
        if (found_) return false;
        for (auto& limit : limits_)
            limit.least = 0;
        search_ = Assignments(limits_, cells_, steps_);
        return found_ = search_.next();
    }

    void lay(CellSet& mined) const {
        for (std::size_t i = 0; i < cells_.size(); ++i)
            mined.set(cells_[i], search_.mines()[i]);
    }

  private:
    Limits limits_;
    std::vector<std::int32_t> cells_;
    std::int64_t steps_;
    Assignments search_;
    bool found_ = false;
};

}  // namespace

Decision ProjectionPlayer::choose(const Question& question) {
    if (auto safe = clues().open_known_safe()) return *safe;
    if (auto flags = flag_all(question)) return *flags;
    if (auto settled = clues().settle_first()) return *settled;
    if (auto projected = project()) return *projected;
    return clues().guess(random(), "no clue leaves a cell free");
}

std::optional<Decision> ProjectionPlayer::flag_all(const Question& question) const {
    const auto& closed = clues().openable();
    if (!options_.global || closed.empty() || closed.size() != clues().mines_left(question.prior))
        return std::nullopt;
    Decision decision{{}, [] { return "as many mines are left as cells are closed"; }};
    closed.for_each(
        [&](std::int32_t cell) { decision.actions.push_back(certainly(MoveKind::flag, cell)); });
    return decision;
}

std::optional<Decision> ProjectionPlayer::project() {
    limits_.clear();
    clues().all().for_each([&](std::int32_t clue) {
        if (options_.eight && topology().degree(clue) != max_degree) return;
        const int left = clues().left(clue);
        const Limit limit(clues(), clue, options_.strict ? left : 0, left);
        if (limit.can_be_met()) limits_.push_back(limit);
    });
    std::vector<Projections> parts;
    for (auto& border : borders(limits_, clues().codes().size()))
        parts.emplace_back(std::move(border), steps_);
    std::optional<Decision> skipped;
    mined_.reset(clues().codes().size());
    while (!parts.empty() && std::ranges::all_of(parts, &Projections::next)) {
        for (const auto& part : parts)
            part.lay(mined_);
        if (auto choice = choose_free(skipped)) return choice;
        if (!options_.annealed) break;
    }
    return skipped;
}

// Opens the first free cell next to the first clue that has one. Keeps the first choice that it
// skips.
std::optional<Decision> ProjectionPlayer::choose_free(std::optional<Decision>& skipped) {
    CellSet seen = mined_;
    std::optional<Decision> choice;
    for (const auto& limit : limits_)
        for (const auto cell : limit.cells()) {
            if (seen.contains(cell)) continue;
            seen.set(cell, true);
            choice = open(cell, limit.clue);
            if (!skips(limit.clue)) return choice;
            if (!skipped) skipped = std::move(choice);
        }
    return std::nullopt;
}

Decision ProjectionPlayer::open(std::int32_t cell, std::int32_t clue) {
    if (auto away = open_away(cell)) return *away;
    return {{{{MoveKind::open, cell}}}, [this, clue] {
                return "free next to " + clues().name(clue) +
                       " in an assignment that breaks no clue";
            }};
}

// Opens a random cell away from all clues, if only one clue speaks of this cell and most of its
// neighbours are closed.
std::optional<Decision> ProjectionPlayer::open_away(std::int32_t cell) {
    if (!options_.away) return std::nullopt;
    std::int32_t lone = -1;
    for (const auto near : topology().neighbours(cell)) {
        if (!clues().all().contains(near)) continue;
        if (lone >= 0) return std::nullopt;
        lone = near;
    }
    auto beyond = clues().openable();
    clues().all().for_each([&](std::int32_t clue) {
        clues().for_each_unknown(clue, [&](std::int32_t near) { beyond.set(near, false); });
    });
    if (beyond.empty() || 2 * clues().unknown(lone) <= topology().degree(lone)) return std::nullopt;
    const auto number = random().below(at(beyond.size()));
    return Decision{
        {{{MoveKind::open, beyond.nth(static_cast<std::int32_t>(number))}}},
        [this, lone] { return "away from " + clues().name(lone) + ", which is alone"; }};
}

bool ProjectionPlayer::skips(std::int32_t clue) {
    const bool risky = clues().left(clue) >= risky_share * clues().unknown(clue);
    return options_.annealed && risky && random().uniform() < skip_chance;
}

}  // namespace mineproof
