#include "reasoning/no_guess.hpp"

#include <algorithm>
#include <utility>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "board/random.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

namespace {

// Makes the changes to a board differ from the order in which its mines are laid.
constexpr std::uint64_t change_stream = 0xa0761d6478bd642f;
// A position that is wider than this is changed instead of counted.
constexpr Budget small_budget{.nodes = 2'000'000, .bytes = std::int64_t{1} << 26};
// After this many changes per cell, another board is laid.
constexpr std::int64_t changes_per_cell = 4;

class Search {
  public:
    Search(std::shared_ptr<const Topology> topology, std::int64_t mines, Start start,
           std::int32_t first, Technique hardest, bool needed, std::uint64_t seed)
        : topology_(std::move(topology)),
          total_(mines),
          start_(start),
          first_(first),
          hardest_(hardest),
          needed_(needed),
          random_(seed ^ change_stream),
          reasoner_(topology_, small_budget) {
        lay(seed);
    }

    std::optional<NoGuessBoard> run(std::int64_t steps);

  private:
    void lay(std::uint64_t seed);
    void restart();
    bool solve();
    // Moves mines so that the reasoner may get further. Returns false if none can be moved.
    bool change();
    bool settle_around(std::int32_t clue);
    bool break_wall();
    bool exchange(const std::vector<std::int32_t>& inside, const std::vector<std::int32_t>& kept,
                  bool fill);
    bool touches(std::int32_t cell, Reasoner::Knowledge knowledge) const;
    template <class Accept>
    std::vector<std::int32_t> collect(Accept accept) const;
    std::int32_t take(std::vector<std::int32_t>& cells);

    std::shared_ptr<const Topology> topology_;
    std::int64_t total_;
    Start start_;
    std::int32_t first_;
    Technique hardest_;
    bool needed_;
    Random random_;
    Reasoner reasoner_;
    std::vector<std::uint8_t> mines_;
    std::vector<std::int32_t> known_safe_;
    std::vector<std::uint8_t> is_protected_;
    std::int64_t changes_ = 0;  // of the current board
    bool changed_ = false;      // since it was last solved from the start
};

std::optional<NoGuessBoard> Search::run(std::int64_t steps) {
    Work work;
    for (; steps > 0; --steps) {
        work.add(topology_->cells());
        if (solve()) {
            if (changed_)
                restart();
            else if (needed_ && reasoner_.hardest() != hardest_)
                lay(random_.next());
            else
                return NoGuessBoard{mines_, reasoner_.hardest()};
        } else if (changes_ >= changes_per_cell * topology_->cells() || !change()) {
            lay(random_.next());
        }
    }
    return std::nullopt;
}

void Search::lay(std::uint64_t seed) {
    mines_ = lay_mines(*topology_, total_, seed, start_, first_);
    known_safe_ = protected_cells(*topology_, mines_, start_, first_);
    is_protected_.assign(mines_.size(), 0);
    for (const auto cell : known_safe_)
        is_protected_[at(cell)] = 1;
    changes_ = 0;
    restart();
}

void Search::restart() {
    reasoner_.begin(mines_, known_safe_);
    changed_ = false;
}

bool Search::solve() try { return reasoner_.solve(hardest_); } catch (const BudgetExceeded&) {
    return false;
}

bool Search::change() {
    ++changes_;
    auto stuck = collect([&](std::int32_t cell) {
        return reasoner_.knowledge(cell) == Reasoner::Knowledge::open &&
               reasoner_.unknown_around(cell) > 0;
    });
    return stuck.empty() ? break_wall() : settle_around(take(stuck));
}

// Fills or empties the unknown cells around a clue, whichever moves fewer mines.
bool Search::settle_around(std::int32_t clue) {
    std::vector<std::int32_t> mined, safe;
    for (const auto cell : topology_->neighbours(clue))
        if (reasoner_.knowledge(cell) == Reasoner::Knowledge::unknown)
            (mines_[at(cell)] ? mined : safe).push_back(cell);
    const bool fill =
        mined.size() == safe.size() ? random_.below(2) == 0 : safe.size() < mined.size();
    return exchange(fill ? safe : mined, fill ? mined : safe, fill) ||
           exchange(fill ? mined : safe, fill ? safe : mined, !fill);
}

// Swaps cells with others of the opposite kind outside: if possible unknown cells that no clue
// touches, then other unknown cells, then known ones.
bool Search::exchange(const std::vector<std::int32_t>& inside,
                      const std::vector<std::int32_t>& kept, bool fill) {
    using enum Reasoner::Knowledge;
    const auto wanted = [&](std::int32_t cell) {
        return (mines_[at(cell)] != 0) == fill && !is_protected_[at(cell)] &&
               std::ranges::find(kept, cell) == kept.end();
    };
    std::vector<std::int32_t> partners;
    const auto choose = [&](auto accept) {
        if (partners.size() == inside.size()) return;
        auto cells = collect(accept);
        while (partners.size() < inside.size() && !cells.empty())
            partners.push_back(take(cells));
    };
    const auto is_unknown = [&](std::int32_t cell) { return reasoner_.knowledge(cell) == unknown; };
    choose([&](std::int32_t cell) {
        return is_unknown(cell) && wanted(cell) && !touches(cell, open);
    });
    choose(
        [&](std::int32_t cell) { return is_unknown(cell) && wanted(cell) && touches(cell, open); });
    const bool only_unknown = partners.size() == inside.size();
    choose([&](std::int32_t cell) { return !is_unknown(cell) && wanted(cell); });
    if (partners.size() < inside.size()) return false;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const auto from = fill ? partners[i] : inside[i];
        const auto to = fill ? inside[i] : partners[i];
        std::swap(mines_[at(from)], mines_[at(to)]);
        if (only_unknown) reasoner_.move_mine(from, to);
    }
    if (only_unknown)
        changed_ = true;
    else
        restart();
    return true;
}

// Moves a mine that lies between open and unknown cells into the unknown.
bool Search::break_wall() {
    using enum Reasoner::Knowledge;
    auto walls = collect([&](std::int32_t cell) {
        return reasoner_.knowledge(cell) == mine && touches(cell, open) && touches(cell, unknown);
    });
    auto room = collect([&](std::int32_t cell) {
        return reasoner_.knowledge(cell) == unknown && !mines_[at(cell)];
    });
    if (walls.empty() || room.empty()) return false;
    std::swap(mines_[at(take(walls))], mines_[at(take(room))]);
    restart();
    return true;
}

bool Search::touches(std::int32_t cell, Reasoner::Knowledge knowledge) const {
    return std::ranges::any_of(topology_->neighbours(cell), [&](std::int32_t neighbour) {
        return reasoner_.knowledge(neighbour) == knowledge;
    });
}

template <class Accept>
std::vector<std::int32_t> Search::collect(Accept accept) const {
    std::vector<std::int32_t> cells;
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        if (accept(cell)) cells.push_back(cell);
    return cells;
}

std::int32_t Search::take(std::vector<std::int32_t>& cells) {
    std::swap(cells[random_.below(cells.size())], cells.back());
    const auto cell = cells.back();
    cells.pop_back();
    return cell;
}

}  // namespace

std::optional<NoGuessBoard> find_no_guess(std::shared_ptr<const Topology> topology,
                                          std::int64_t mines, Start start, std::int32_t first,
                                          Technique hardest, bool needed, std::uint64_t seed,
                                          std::int64_t steps) {
    return Search(std::move(topology), mines, start, first, hardest, needed, seed).run(steps);
}

}  // namespace mineproof
