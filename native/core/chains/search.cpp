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

int longest_of(const Chains& chains) {
    int longest = 0;
    for (const auto& link : chains.links())
        longest = std::max(longest, link.length);
    return longest;
}

}  // namespace

ChainSearch::ChainSearch(std::shared_ptr<const Topology> topology, std::int64_t mines, Start start,
                         std::int32_t first, std::int64_t evaluations, std::uint64_t seed)
    : topology_(std::move(topology)),
      channel_(std::make_shared<Channel>()),
      first_(first),
      evaluations_(evaluations),
      random_(seed),
      reasoner_(topology_, {}),
      mines_(lay_mines(*topology_, mines, seed, start, first)),
      known_safe_(protected_cells(*topology_, mines_, start, first)),
      current_{Chains(topology_, true), {}} {
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        if (std::ranges::find(known_safe_, cell) == known_safe_.end())
            (mines_[at(cell)] ? mined_ : free_).push_back(cell);
}

void ChainSearch::advance(std::int64_t evaluations) {
    const auto end =
        evaluations_ - evaluated_ < evaluations ? evaluations_ : evaluated_ + evaluations;
    if (evaluated_ == 0 && end > 0) {
        value_ = evaluate(mines_, [](int) { return true; });
        ++evaluated_;
    }
    for (; evaluated_ < end; ++evaluated_) {
        if (mined_.empty() || free_.empty()) continue;
        const auto before = random_;
        auto& from = mined_[random_.below(mined_.size())];
        auto& to = draw_free(from);
        auto other = mines_;
        std::swap(other[at(from)], other[at(to)]);
        const double cools = static_cast<double>(evaluated_) / static_cast<double>(evaluations_);
        const double temperature = hot * std::pow(cold / hot, cools);
        const auto luck = random_.uniform();
        const auto accepts = [&](int value) {
            return luck < std::exp((value - value_) / temperature);
        };
        int value = 0;
        try {
            value = evaluate(
                other, [&](int most) { return accepts(most) || !best_ || most > best_->longest; });
        } catch (...) {
            random_ = before;  // so that a search that was stopped can go on
            throw;
        }
        if (!accepts(value)) continue;
        std::swap(from, to);
        mines_ = std::move(other);
        value_ = value;
        if (trial_) current_ = *std::exchange(trial_, std::nullopt);
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

int ChainSearch::evaluate(const std::vector<std::uint8_t>& mines, const Matters& matters) try {
    // This is much faster than following its chains.
    trial_.reset();
    reasoner_.begin(mines, known_safe_);
    if (!reasoner_.solve(Technique::total))
        return reasoner_.opened() + static_cast<int>(mined_.size()) - topology_->cells();
    Game game(topology_, mines, *channel_, 0, {}, known_safe_);
    std::vector<std::int32_t> cells{first_};
    open(game, cells);
    Solution trial{Chains(topology_, true), {}};
    // As long as the board looks like the current one, its chains are the same.
    for (const auto& round : current_.rounds) {
        if (!std::ranges::equal(round.seen, game.cells())) break;
        trial.rounds.push_back(round);
        cells = round.safe;
        open(game, cells);
    }
    if (!trial.rounds.empty()) {
        const auto& links = current_.chains.links();
        const auto end = links.begin() + static_cast<std::ptrdiff_t>(trial.rounds.back().links);
        trial.chains = Chains(topology_, true, true, {links.begin(), end});
    }
    // Proofs take most of the time, so first see how long its chains could be.
    auto deepest = trial.chains;
    std::vector<Posterior> posteriors;
    while (true) {
        deepest.open(cells, game.cells());
        const auto& posterior = posteriors.emplace_back(posterior_of(game, channel_, {}));
        deepest.settle(posterior, Premises::deepest);
        if (is_solved(game)) break;
        cells = posterior.safe();
        open(game, cells);
    }
    if (const auto most = longest_of(deepest); !matters(most)) return most;
    for (const auto& posterior : posteriors) {
        const auto seen = posterior.evidence().cells;
        const auto opened = trial.rounds.empty() ? std::vector{first_} : trial.rounds.back().safe;
        trial.chains.open(opened, seen);
        trial.chains.settle(posterior);
        trial.rounds.push_back(
            {{seen.begin(), seen.end()}, posterior.safe(), trial.chains.links().size()});
    }
    trial_ = std::move(trial);
    // A chain might be shorter than it seems.
    if (!std::ranges::all_of(trial_->chains.links(), &Link::decided)) return 0;
    const auto longest = longest_of(trial_->chains);
    if (!best_ || longest > best_->longest) best_ = Found{mines, longest};
    return longest;
} catch (const BudgetExceeded&) {
    return -topology_->cells();
}

}  // namespace mineproof
