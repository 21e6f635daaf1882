#include "chains/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "board/index.hpp"
#include "chains/chains.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

namespace {

// A chain shorter by this many links is accepted with chance 1/e, at the start and at the end.
constexpr double hot = 2.0;
constexpr double cold = 0.1;
// This share of steps moves a mine only this many king's moves, which keeps most of a chain.
constexpr double short_share = 0.8;
constexpr std::int32_t short_distance = 2;

}  // namespace

ChainSearch::ChainSearch(std::shared_ptr<const Topology> topology, std::int64_t mines, Start start,
                         std::int32_t first, std::int64_t evaluations, std::uint64_t seed)
    : topology_(std::move(topology)),
      channel_(std::make_shared<Channel>()),
      first_(first),
      evaluations_(evaluations),
      random_(seed),
      mines_(lay_mines(*topology_, mines, seed, start, first)),
      known_safe_(protected_cells(*topology_, mines_, start, first)) {
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        if (std::ranges::find(known_safe_, cell) == known_safe_.end())
            (mines_[at(cell)] ? mined_ : free_).push_back(cell);
}

void ChainSearch::advance(std::int64_t evaluations) {
    const auto end =
        evaluations_ - evaluated_ < evaluations ? evaluations_ : evaluated_ + evaluations;
    if (evaluated_ == 0 && end > 0) {
        value_ = evaluate(mines_);
        ++evaluated_;
    }
    for (; evaluated_ < end; ++evaluated_) {
        if (mined_.empty() || free_.empty()) continue;
        const auto before = random_;
        auto& from = mined_[random_.below(mined_.size())];
        auto& to = draw_free(from);
        auto other = mines_;
        std::swap(other[at(from)], other[at(to)]);
        int value = 0;
        try {
            value = evaluate(other);
        } catch (...) {
            random_ = before;  // so that a search that was stopped can go on
            throw;
        }
        const double cools = static_cast<double>(evaluated_) / static_cast<double>(evaluations_);
        const double temperature = hot * std::pow(cold / hot, cools);
        if (random_.uniform() >= std::exp((value - value_) / temperature)) continue;
        std::swap(from, to);
        mines_ = std::move(other);
        value_ = value;
    }
}

std::int32_t& ChainSearch::draw_free(std::int32_t mined) {
    if (random_.uniform() < short_share) {
        std::vector<std::size_t> near;
        for (std::size_t i = 0; i < free_.size(); ++i)
            if (topology_->distance(mined, free_[i]) <= short_distance) near.push_back(i);
        if (!near.empty()) return free_[near[random_.below(near.size())]];
    }
    return free_[random_.below(free_.size())];
}

int ChainSearch::evaluate(const std::vector<std::uint8_t>& mines) try {
    Game game(topology_, mines, *channel_, 0, {}, known_safe_);
    // This is much faster than computing its chains.
    if (!needs_no_guess(game, first_, channel_, {}))
        return game.opened() + game.mines() - topology_->cells();
    Game again(topology_, mines, *channel_, 0, {}, known_safe_);
    const auto chains = solve(again, first_, channel_, {});
    int longest = 0;
    for (const auto& link : chains.links()) {
        // The chain might be shorter than it seems.
        if (!link.decided) return 0;
        longest = std::max(longest, link.length);
    }
    if (!best_ || longest > best_->longest) best_ = Found{mines, longest};
    return longest;
} catch (const BudgetExceeded&) {
    return -topology_->cells();
}

}  // namespace mineproof
