#include "reasoning/reasoner.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "board/cell.hpp"
#include "board/index.hpp"
#include "board/reveal.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

namespace {

constexpr std::uint8_t in_count = 1;
constexpr std::uint8_t in_compare = 2;

}  // namespace

Reasoner::Reasoner(std::shared_ptr<const Topology> topology, Budget budget)
    : topology_(std::move(topology)), channel_(std::make_shared<Channel>()), budget_(budget) {}

void Reasoner::begin(std::span<const std::uint8_t> mines,
                     std::span<const std::int32_t> known_safe) {
    const auto cells = at(topology_->cells());
    assert(mines.size() == cells);
    mines_.assign(mines.begin(), mines.end());
    total_ = std::ranges::count(mines_, 1);
    safe_left_ = topology_->cells() - static_cast<std::int32_t>(total_);
    opened_ = 0;
    settled_.fill(0);
    known_.assign(cells, Knowledge::unknown);
    counts_.resize(cells);
    topology_->add_up_neighbours(mines_, counts_);
    mines_known_.assign(cells, 0);
    unknown_.resize(cells);
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        unknown_[at(cell)] = static_cast<std::uint8_t>(topology_->degree(cell));
    queued_.assign(cells, 0);
    mark_.assign(cells, -1);
    round_ = 0;
    to_count_.clear();
    to_compare_.clear();
    conclusions_.clear();
    for (const auto cell : known_safe)
        conclusions_.push_back({cell, false});
    settle(Technique::given);
}

bool Reasoner::solve(Technique hardest) {
    while (!solved()) {
        if (settle_by_counting()) continue;
        if (hardest >= Technique::subset && settle_by_comparing()) continue;
        if (hardest >= Technique::cases && settle_by_layouts(hardest)) continue;
        return false;
    }
    return true;
}

Technique Reasoner::hardest() const {
    auto technique = techniques - 1;
    while (technique > 0 && settled_[technique] == 0)
        --technique;
    return static_cast<Technique>(technique);
}

void Reasoner::move_mine(std::int32_t from, std::int32_t to) {
    assert(knowledge(from) == Knowledge::unknown && knowledge(to) == Knowledge::unknown);
    assert(mines_[at(from)] && !mines_[at(to)]);
    std::swap(mines_[at(from)], mines_[at(to)]);
    for (const auto cell : topology_->neighbours(from)) {
        --counts_[at(cell)];
        touch(cell);
    }
    for (const auto cell : topology_->neighbours(to)) {
        ++counts_[at(cell)];
        touch(cell);
    }
}

bool Reasoner::settle_by_counting() {
    for (const auto clue : to_count_) {
        queued_[at(clue)] &= static_cast<std::uint8_t>(~in_count);
        if (left(clue) == 0)
            conclude_around(clue, false);
        else if (left(clue) == unknown_around(clue))
            conclude_around(clue, true);
    }
    to_count_.clear();
    return settle(Technique::counting);
}

bool Reasoner::settle_by_comparing() {
    for (const auto one : to_compare_) {
        queued_[at(one)] &= static_cast<std::uint8_t>(~in_compare);
        if (unknown_around(one) == 0) continue;
        const auto first_round = round_ + 1;
        for (const auto cell : topology_->neighbours(one)) {
            if (knowledge(cell) != Knowledge::unknown) continue;
            for (const auto other : topology_->neighbours(cell)) {
                if (other == one || knowledge(other) != Knowledge::open) continue;
                if (mark_[at(other)] >= first_round) continue;  // compared already
                mark_[at(other)] = ++round_;
                int shared = 0;
                for (const auto both : topology_->neighbours(other)) {
                    if (knowledge(both) != Knowledge::unknown) continue;
                    const auto near = topology_->neighbours(both);
                    shared += std::ranges::find(near, one) != near.end();
                }
                compare(one, other, shared);
                compare(other, one, shared);
            }
        }
    }
    to_compare_.clear();
    return settle(Technique::subset);
}

// What the first clue says about the cells that both touch may settle the others of the second.
void Reasoner::compare(std::int32_t one, std::int32_t other, int shared) {
    const int rest = unknown_around(other) - shared;
    if (rest == 0) return;
    const int least = std::max(0, left(one) - (unknown_around(one) - shared));
    const int most = std::min(left(one), shared);
    const bool safe = left(other) <= least;
    if (!safe && left(other) - most < rest) return;
    for (const auto cell : topology_->neighbours(other)) {
        if (knowledge(cell) != Knowledge::unknown) continue;
        const auto near = topology_->neighbours(cell);
        if (std::ranges::find(near, one) == near.end()) conclusions_.push_back({cell, !safe});
    }
}

bool Reasoner::settle_by_layouts(Technique hardest) {
    Question question{.topology = topology_,
                      .cells = std::vector<std::int8_t>(mines_.size()),
                      .prior = {Prior::Kind::total, total_, 0.0},
                      .channel = channel_,
                      .trust_flags = true};
    for (std::size_t i = 0; i < mines_.size(); ++i)
        question.cells[i] = known_[i] == Knowledge::unknown ? cell::closed
                            : known_[i] == Knowledge::mine  ? cell::flagged
                                                            : static_cast<std::int8_t>(counts_[i]);
    const Posterior posterior(std::move(question), budget_, Precision::exact_only, &cache_);
    const auto by_clues = posterior.settled_by_clues();
    const auto conclude = [&](auto accepts) {
        for (const auto cell : posterior.safe())
            if (accepts(cell)) conclusions_.push_back({cell, false});
        for (const auto cell : posterior.mined())
            if (knowledge(cell) == Knowledge::unknown && accepts(cell))
                conclusions_.push_back({cell, true});
    };
    conclude([&](std::int32_t cell) { return by_clues[at(cell)] != 0; });
    if (settle(Technique::cases)) return true;
    if (hardest < Technique::total) return false;
    conclude([](std::int32_t) { return true; });
    return settle(Technique::total);
}

void Reasoner::conclude_around(std::int32_t clue, bool mine) {
    for (const auto cell : topology_->neighbours(clue))
        if (knowledge(cell) == Knowledge::unknown) conclusions_.push_back({cell, mine});
}

bool Reasoner::settle(Technique technique) {
    const auto before = settled_[at(static_cast<int>(technique))];
    auto& settled = settled_[at(static_cast<int>(technique))];
    for (const auto& [cell, mine] : conclusions_) {
        if (knowledge(cell) != Knowledge::unknown) continue;
        ++settled;
        if (learn(cell, mine)) zeros_.push_back(cell);
    }
    conclusions_.clear();
    auto& given = settled_[at(static_cast<int>(Technique::given))];
    const auto show = [&](std::int32_t cell) {
        ++given;
        return learn(cell, false);
    };
    cascade(*topology_, zeros_, show,
            [this](std::int32_t cell) { return knowledge(cell) == Knowledge::unknown; });
    return settled > before;
}

// Returns whether the cell is safe and touches no mine.
bool Reasoner::learn(std::int32_t cell, bool mine) {
    assert((mines_[at(cell)] != 0) == mine);
    known_[at(cell)] = mine ? Knowledge::mine : Knowledge::open;
    for (const auto neighbour : topology_->neighbours(cell)) {
        --unknown_[at(neighbour)];
        mines_known_[at(neighbour)] += mine;
        touch(neighbour);
    }
    if (mine) return false;
    ++opened_;
    --safe_left_;
    touch(cell);
    return counts_[at(cell)] == 0;
}

void Reasoner::touch(std::int32_t clue) {
    if (knowledge(clue) != Knowledge::open || unknown_around(clue) == 0) return;
    auto& queued = queued_[at(clue)];
    if (!(queued & in_count)) to_count_.push_back(clue);
    if (!(queued & in_compare)) to_compare_.push_back(clue);
    queued = in_count | in_compare;
}

}  // namespace mineproof
