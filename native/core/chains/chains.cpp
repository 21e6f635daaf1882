#include "chains/chains.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "board/cell.hpp"
#include "board/index.hpp"
#include "proofs/proof.hpp"

namespace mineproof {

Chains::Chains(std::shared_ptr<const Topology> topology, bool exact_clues)
    : topology_(std::move(topology)),
      exact_clues_(exact_clues),
      lengths_(at(topology_->cells()), -1),
      roots_(at(topology_->cells()), -1) {}

Chains::Chains(std::shared_ptr<const Topology> topology, bool exact_clues, bool begun,
               std::vector<Link> links)
    : Chains(std::move(topology), exact_clues) {
    begun_ = begun;
    for (auto& link : links)
        add(std::move(link));
}

std::int32_t Chains::likely_length(std::int32_t cell, std::span<const std::int8_t> seen) const {
    if (settled(cell)) return lengths_[at(cell)];
    std::int32_t longest = -1;
    for (const auto clue : topology_->neighbours(cell))
        if (cell::is_clue(seen[at(clue)])) longest = std::max(longest, lengths_[at(clue)]);
    return longest + 1;
}

void Chains::settle(const Posterior& posterior, Premises premises) {
    const auto seen = posterior.evidence().cells;
    std::vector<std::int32_t> given;
    std::vector<Link> found;
    std::optional<Prover> prover;
    std::vector<std::int32_t> deepest;
    if (premises == Premises::deepest) deepest = deepest_clue(seen);
    const auto prove = [&](std::int32_t cell, bool mine) {
        if (settled(cell)) return;
        if (seen[at(cell)] == cell::known_safe) return given.push_back(cell);
        if (premises == Premises::deepest) {
            found.push_back({.cell = cell, .mine = mine, .premises = deepest});
            return;
        }
        if (!prover) prover.emplace(posterior, 1, lengths_);
        auto proof = prover->prove(cell);
        found.push_back({.cell = cell,
                         .origin = Origin::settled,
                         .mine = mine,
                         .uses_total = proof.uses_total,
                         .decided = proof.all,
                         .premises = std::move(proof.premises.front())});
    };
    for (const auto cell : posterior.safe())
        prove(cell, false);
    for (const auto cell : posterior.mined())
        prove(cell, true);
    for (auto& link : found)
        add(std::move(link));
    for (const auto cell : given) {
        const auto zero = zero_beside(cell, seen);
        if (zero < 0)
            begin(cell, Origin::given, false);
        else
            settle_by_zero(cell, zero);
    }
}

// The clue with the longest chain among those next to closed cells; nothing if there is none.
std::vector<std::int32_t> Chains::deepest_clue(std::span<const std::int8_t> seen) const {
    std::int32_t best = -1;
    for (std::int32_t clue = 0; clue < topology_->cells(); ++clue) {
        if (!cell::is_clue(seen[at(clue)])) continue;
        if (best >= 0 && lengths_[at(clue)] <= lengths_[at(best)]) continue;
        if (std::ranges::any_of(topology_->neighbours(clue), [&](std::int32_t other) {
                return cell::is_closed(seen[at(other)]);
            }))
            best = clue;
    }
    return best < 0 ? std::vector<std::int32_t>{} : std::vector{best};
}

void Chains::start_from(std::span<const std::int8_t> seen) {
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell) {
        const auto code = seen[at(cell)];
        if (cell::is_closed(code) || settled(cell)) continue;
        begin(cell, Origin::given, code == cell::exploded);
        begun_ = true;
    }
}

void Chains::open(std::span<const std::int32_t> cells, std::span<const std::int8_t> seen) {
    for (const auto cell : cells) {
        // A cell that is opened later may be part of an earlier cascade.
        if (begun_ && !settled(cell)) spread(seen);
        if (!settled(cell))
            begin(cell, begun_ ? Origin::guess : Origin::first, seen[at(cell)] == cell::exploded);
    }
    begun_ = begun_ || !cells.empty();
    spread(seen);
}

void Chains::spread(std::span<const std::int8_t> seen) {
    if (!exact_clues_) return;
    using Entry = std::pair<std::int32_t, std::int32_t>;  // length and cell of a zero
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> zeros;
    const auto is_new = [&](std::int32_t cell) { return seen[at(cell)] >= 0 && !settled(cell); };
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell) {
        const auto zero = is_new(cell) ? zero_beside(cell, seen) : -1;
        if (zero >= 0) zeros.emplace(lengths_[at(zero)], zero);
    }
    while (!zeros.empty()) {
        const auto zero = zeros.top().second;
        zeros.pop();
        for (const auto cell : topology_->neighbours(zero)) {
            if (!is_new(cell)) continue;
            settle_by_zero(cell, zero);
            if (seen[at(cell)] == 0) zeros.emplace(lengths_[at(cell)], cell);
        }
    }
}

std::int32_t Chains::zero_beside(std::int32_t cell, std::span<const std::int8_t> seen) const {
    std::int32_t best = -1;
    if (!exact_clues_) return best;
    for (const auto zero : topology_->neighbours(cell)) {
        if (seen[at(zero)] != 0 || !settled(zero)) continue;
        if (best < 0 || lengths_[at(zero)] < lengths_[at(best)]) best = zero;
    }
    return best;
}

void Chains::settle_by_zero(std::int32_t cell, std::int32_t zero) {
    add({.cell = cell, .origin = Origin::settled, .premises = {zero}});
}

void Chains::begin(std::int32_t cell, Origin origin, bool mine) {
    add({.cell = cell, .origin = origin, .mine = mine});
}

void Chains::add(Link link) {
    link.length = 0;
    link.root = link.cell;
    for (const auto premise : link.premises) {
        const auto length = lengths_[at(premise)] + 1;
        const auto root = roots_[at(premise)];
        const bool nearer =
            topology_->distance(link.cell, root) < topology_->distance(link.cell, link.root);
        if (length > link.length || (length == link.length && nearer)) link.root = root;
        link.length = std::max(link.length, length);
    }
    lengths_[at(link.cell)] = link.length;
    roots_[at(link.cell)] = link.root;
    links_.push_back(std::move(link));
}

void open(Game& game, std::span<const std::int32_t> cells) {
    for (const auto cell : cells)
        if (cell::is_closed(game.code_at(cell))) game.open(cell);
}

bool is_solved(const Game& game) {
    return game.opened() == game.topology()->cells() - game.mines();
}

Posterior posterior_of(const Game& game, const std::shared_ptr<const Channel>& channel,
                       Budget budget) {
    const auto seen = game.cells();
    const Prior prior{Prior::Kind::total, game.mines(), 0.0};
    return {{game.topology(), {seen.begin(), seen.end()}, prior, channel},
            budget,
            Precision::exact_only};
}

Chains solve(Game& game, std::int32_t first, const std::shared_ptr<const Channel>& channel,
             Budget budget) {
    Chains chains(game.topology(), channel->exact);
    chains.start_from(game.cells());
    std::vector<std::int32_t> cells;
    if (first >= 0) cells.push_back(first);
    while (true) {
        open(game, cells);
        chains.open(cells, game.cells());
        const auto posterior = posterior_of(game, channel, budget);
        chains.settle(posterior);
        if (is_solved(game)) return chains;
        cells = posterior.safe();
        if (cells.empty()) cells.push_back(least_risky(posterior.risk(), game.mine_mask()).front());
    }
}

}  // namespace mineproof
