#include "posterior/clash.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "counting/counter.hpp"
#include "counting/frontier.hpp"
#include "counting/product_tree.hpp"
#include "counting/rings.hpp"

namespace mineproof {

namespace {

using Cells = std::vector<std::int32_t>;

// With at most this many clues, search for a smallest clashing set, not just an irreducible one.
constexpr std::size_t few_clues = 20;

// Work is measured in clues examined. Counting takes this many nodes in the same time.
constexpr std::int64_t nodes_per_clue = 500;
// Planning how to count one clue takes as long as examining this many clues.
constexpr std::int64_t planning = 20;
// Cells that can be copied in the time of examining one clue.
constexpr std::int64_t cells_per_clue = 1000;
constexpr Budget per_component{.nodes = 5'000'000, .bytes = std::int64_t{1} << 28};

using Support = PolynomialOf<std::uint8_t>;

int widest_gap(const Support& support) {
    int widest = 0;
    int gap = 0;
    for (const auto possible : support.weight) {
        gap = possible ? 0 : gap + 1;
        widest = std::max(widest, gap);
    }
    return widest;
}

// How many mines the unknown cells next to some clues may hold.
struct MineRange {
    std::int64_t cells = 0;
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    int too_wide = 0;                // components that were not counted; they may hold any number
    std::vector<Support> with_gaps;  // the components that skip some numbers

    void add(const MineRange& other, int sign) {
        cells += sign * other.cells;
        fewest += sign * other.fewest;
        most += sign * other.most;
        too_wide += sign * other.too_wide;
    }
};

// Checks whether sets of clues of one observation can be satisfied together.
class Checker {
  public:
    Checker(const Evidence& evidence, std::int64_t work_limit)
        : evidence_(evidence), known_cells_(evidence), work_limit_(work_limit) {}

    const Topology& topology() const { return evidence_.topology; }

    // Whether the work limit is reached. On a huge board the result so far has to do.
    bool exhausted() const { return work_ > work_limit_; }
    // Whether every check since the last `reset` was certain. If a clash cannot be proved, the
    // clues are taken to fit.
    bool sure() const { return sure_ && !exhausted(); }
    void reset() { sure_ = true; }

    // Returns nothing if the clues clash without the total.
    std::optional<MineRange> mine_range(const Cells& clues) {
        work_ += static_cast<std::int64_t>(clues.size()) + topology().cells() / cells_per_clue;
        checkpoint(nodes_per_clue * std::ssize(clues) + topology().cells());
        const Frontier frontier(evidence_, known_cells_, clues);
        if (!frontier.clash().empty()) return std::nullopt;
        MineRange result;
        result.cells = known_cells_.unknown - frontier.interior();
        result.fewest = result.most = frontier.known_mines() - known_cells_.mined;
        for (std::size_t i = 0; i < frontier.components(); ++i) {
            const auto component = frontier.component(i);
            const auto layouts = count(component);
            if (!layouts) {
                ++result.too_wide;
                result.most += component.cells();
                continue;
            }
            if (!layouts->possible()) return std::nullopt;
            result.fewest += layouts->total().fewest;
            result.most += layouts->total().most();
            Support support{layouts->total().fewest, layouts->total_support()};
            if (widest_gap(support) > 0) result.with_gaps.push_back(std::move(support));
        }
        return result;
    }

    bool fits(const Cells& clues) {
        const auto range = mine_range(clues);
        if (range && range->too_wide > 0) sure_ = false;
        return range.has_value();
    }

    bool fits_total(const Cells& clues) {
        const auto range = mine_range(clues);
        return range && fits_total(*range, range->with_gaps);
    }

    bool fits_total(const MineRange& range, std::span<const Support> with_gaps) {
        const bool fits = can_share_mines(range, with_gaps);
        if (fits && range.too_wide > 0) sure_ = false;
        return fits;
    }

    bool unknown(std::int32_t cell) const {
        return known_cells_.knowledge[at(cell)] == Knowledge::unknown;
    }

    // These clues and all clues that share an unknown cell with one of them.
    Cells with_neighbours(const Cells& clues) const {
        Cells result = clues;
        for (const auto clue : clues)
            for (const auto cell : topology().neighbours(clue)) {
                if (!unknown(cell)) continue;
                for (const auto other : topology().neighbours(cell))
                    if (evidence_.counts_as_clue(other)) result.push_back(other);
            }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    Cells all_clues() const {
        Cells result;
        for (std::int32_t cell = 0; cell < topology().cells(); ++cell) {
            const auto around = topology().neighbours(cell);
            if (evidence_.counts_as_clue(cell) &&
                std::any_of(around.begin(), around.end(),
                            [&](std::int32_t c) { return unknown(c); }))
                result.push_back(cell);
        }
        return result;
    }

  private:
    // Whether the mines left can be shared between the cells next to clues and the other cells.
    bool can_share_mines(const MineRange& range, std::span<const Support> with_gaps) const {
        const auto most_left = evidence_.prior.mines - known_cells_.mined;
        const auto fewest_left = most_left - (known_cells_.unknown - range.cells);
        if (range.fewest > most_left || range.most < fewest_left) return false;
        // A sum has no wider gap than its parts, and a contiguous part fills gaps.
        auto gap = 0;
        auto room = range.most - range.fewest + most_left - fewest_left;
        for (const auto& support : with_gaps) {
            gap = std::max(gap, widest_gap(support));
            room -= support.most() - support.fewest;
        }
        if (gap <= room) return true;
        const ProductTree<BooleanRing> tree({with_gaps.begin(), with_gaps.end()});
        const auto& all = tree.all();
        const auto fewest = range.fewest - all.fewest;
        const auto most = range.most - all.most();
        for (auto mines = all.fewest; mines <= all.most(); ++mines)
            if (all.weight[at(mines - all.fewest)] && fewest + mines <= most_left &&
                most + mines >= fewest_left)
                return true;
        return false;
    }

    std::shared_ptr<const Layouts> count(const Component& component) {
        Counter counter(per_component, &cache_);
        const auto task = counter.plan(component);
        if (task.kept) return task.kept;
        work_ += planning * std::ssize(component.clues);
        auto layouts = counter.count(task);
        work_ += (layouts ? layouts->nodes_spent() : per_component.nodes) / nodes_per_clue;
        return layouts;
    }

    const Evidence& evidence_;
    const KnownCells known_cells_;
    const std::int64_t work_limit_;
    LayoutCache cache_;
    std::int64_t work_ = 0;  // clues examined
    bool sure_ = true;
};

// Clues that clash. A clue can be left out if the rest still clash.
class Clashing {
  public:
    Clashing(Checker& checker, Cells clues) : checker_(checker), clues_(std::move(clues)) {}

    const Cells& clues() const { return clues_; }

    bool leave_out(std::span<const std::int32_t> some) {
        Cells rest;
        std::set_difference(clues_.begin(), clues_.end(), some.begin(), some.end(),
                            std::back_inserter(rest));
        if (checker_.fits(rest)) return false;
        clues_ = std::move(rest);
        return true;
    }

  private:
    Checker& checker_;
    Cells clues_;
};

// The same for clues that clash with the mine total. They form regions that share no unknown cell,
// so that leaving out clues changes only their own regions. Counting all of them each time takes
// about fifteen times as long on a board of 100 x 100, and on one of 200 x 200 it exceeds the limit
// of work while spare clues are left.
class ClashingWithTotal {
  public:
    ClashingWithTotal(Checker& checker, const Cells& clues)
        : checker_(checker), region_of_(at(checker.topology().cells()), absent) {
        for (auto& region : regions_of(clues))
            keep(std::move(region));
    }

    Cells clues() const {
        Cells result;
        for (const auto& region : regions_)
            result.insert(result.end(), region.clues.begin(), region.clues.end());
        std::sort(result.begin(), result.end());
        return result;
    }

    bool leave_out(std::span<const std::int32_t> some) {
        std::vector<std::int32_t> touched;
        for (const auto clue : some)
            touched.push_back(region_of_[at(clue)]);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const auto clue : some)
            region_of_[at(clue)] = absent;
        Cells rest;
        auto sum = sum_;
        for (const auto id : touched) {
            sum.add(regions_[at(id)].range, -1);
            for (const auto clue : regions_[at(id)].clues)
                if (region_of_[at(clue)] != absent) rest.push_back(clue);
        }
        auto pieces = regions_of(rest);
        for (const auto& piece : pieces)
            sum.add(piece.range, 1);
        if (checker_.fits_total(sum, with_gaps(touched, pieces))) {
            for (const auto id : touched)
                for (const auto clue : regions_[at(id)].clues)
                    region_of_[at(clue)] = id;
            return false;
        }
        for (const auto id : touched)
            give_up(id);
        for (auto& piece : pieces)
            keep(std::move(piece));
        return true;
    }

  private:
    static constexpr std::int32_t absent = -1;
    static constexpr std::int32_t loose = -2;  // not yet assigned to a region

    struct Region {
        Cells clues;
        MineRange range;
    };

    std::vector<Region> regions_of(const Cells& clues) {
        for (const auto clue : clues)
            region_of_[at(clue)] = loose;
        std::vector<Region> regions;
        for (const auto first : clues) {
            if (region_of_[at(first)] != loose) continue;
            Region region{{first}, {}};
            region_of_[at(first)] = absent;
            for (std::size_t i = 0; i < region.clues.size(); ++i)
                for (const auto cell : checker_.topology().neighbours(region.clues[i])) {
                    if (!checker_.unknown(cell)) continue;
                    for (const auto other : checker_.topology().neighbours(cell)) {
                        if (region_of_[at(other)] != loose) continue;
                        region_of_[at(other)] = absent;
                        region.clues.push_back(other);
                    }
                }
            std::sort(region.clues.begin(), region.clues.end());
            region.range = *checker_.mine_range(region.clues);
            regions.push_back(std::move(region));
        }
        return regions;
    }

    void keep(Region region) {
        const auto id = static_cast<std::int32_t>(regions_.size());
        for (const auto clue : region.clues)
            region_of_[at(clue)] = id;
        sum_.add(region.range, 1);
        if (!region.range.with_gaps.empty()) with_gaps_.push_back(id);
        regions_.push_back(std::move(region));
    }

    void give_up(std::int32_t id) {
        sum_.add(regions_[at(id)].range, -1);
        std::erase(with_gaps_, id);
        regions_[at(id)] = {};
    }

    std::vector<Support> with_gaps(std::span<const std::int32_t> without,
                                   std::span<const Region> and_of) const {
        std::vector<Support> result;
        const auto add = [&](const Region& region) {
            const auto& with_gaps = region.range.with_gaps;
            result.insert(result.end(), with_gaps.begin(), with_gaps.end());
        };
        for (const auto id : with_gaps_)
            if (!std::binary_search(without.begin(), without.end(), id)) add(regions_[at(id)]);
        for (const auto& region : and_of)
            add(region);
        return result;
    }

    Checker& checker_;
    std::vector<std::int32_t> region_of_;  // by cell
    std::vector<Region> regions_;
    std::vector<std::int32_t> with_gaps_;  // regions that skip some numbers
    MineRange sum_;                        // without `with_gaps`
};

// Leaves out clues, large pieces first, until every clue is needed.
template <class Set>
Cells shrink(Checker& checker, Set set, Cells clues) {
    for (auto piece = std::max<std::size_t>(clues.size() / 2, 1);; piece /= 2) {
        checker.reset();
        Cells needed;
        for (std::size_t begin = 0; begin < clues.size(); begin += piece) {
            const auto some =
                std::span(clues).subspan(begin, std::min(piece, clues.size() - begin));
            if (checker.exhausted() || !set.leave_out(some))
                needed.insert(needed.end(), some.begin(), some.end());
        }
        clues = std::move(needed);
        if (piece <= 1 || checker.exhausted()) break;
    }
    return set.clues();
}

// Puts clues first that share no cell with each other. A clash with the total usually shows among
// these, and each of them is a region of its own.
Cells apart_first(const Checker& checker, const Cells& clues) {
    Cells result;
    Cells others;
    std::vector<std::uint8_t> taken(at(checker.topology().cells()), 0);
    for (const auto clue : clues) {
        const auto around = checker.topology().neighbours(clue);
        const bool apart = std::none_of(around.begin(), around.end(), [&](std::int32_t cell) {
            return checker.unknown(cell) && taken[at(cell)];
        });
        (apart ? result : others).push_back(clue);
        if (!apart) continue;
        for (const auto cell : around)
            taken[at(cell)] = 1;
    }
    result.insert(result.end(), others.begin(), others.end());
    return result;
}

// The shortest prefix of the clues that clashes with the mine total.
Cells clashing_start(Checker& checker, const Cells& clues) {
    std::size_t fits = 0;  // the length of a prefix that fits
    auto clash = clues.size();
    if (clash > 0 && !checker.fits_total({})) return {};
    while (clash > fits + 1) {
        const auto middle = fits + (clash - fits) / 2;
        Cells start(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(middle));
        std::sort(start.begin(), start.end());
        (checker.fits_total(start) ? fits : clash) = middle;
    }
    return {clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(clash)};
}

// A smallest clashing set among few clues, no larger than `known`. A "correction" is a set of clues
// without which the rest fit, so every clashing set contains a clue of every correction. The
// smallest set that does so for all corrections found so far either clashes, and is the answer, or
// gives another correction.
template <class Fits>
Cells smallest(const Checker& checker, const Cells& clues, const Cells& known, Fits fits) {
    const auto chosen = [&](std::uint32_t mask) {
        Cells result;
        for (std::size_t i = 0; i < clues.size(); ++i)
            if (mask >> i & 1) result.push_back(clues[i]);
        return result;
    };
    const std::uint32_t everything = (std::uint32_t{1} << clues.size()) - 1;
    std::vector<std::uint32_t> corrections;
    int size = 0;
    std::uint32_t candidate = 0;
    const auto meets_all = [&](std::uint32_t mask) {
        return std::all_of(corrections.begin(), corrections.end(),
                           [&](std::uint32_t c) { return (c & mask) != 0; });
    };
    while (!checker.exhausted()) {
        if (!fits(chosen(candidate))) return chosen(candidate);
        auto fitting = candidate;  // extended until no other clue fits
        for (std::size_t i = 0; i < clues.size(); ++i) {
            const auto more = fitting | std::uint32_t{1} << i;
            if (more != fitting && fits(chosen(more))) fitting = more;
        }
        corrections.push_back(everything & ~fitting);
        // Masks of one size in ascending order, then those of the next size.
        while (!meets_all(candidate)) {
            const auto low = candidate & (~candidate + 1);
            const auto up = candidate + low;
            const auto next = candidate == 0 ? everything + 1 : up | ((candidate ^ up) / low) >> 2;
            if (next <= everything) {
                candidate = next;
                continue;
            }
            if (++size >= static_cast<int>(known.size())) return known;
            candidate = (std::uint32_t{1} << size) - 1;
        }
    }
    return known;
}

}  // namespace

Contradiction explain_clash(const Evidence& evidence, std::span<const std::int32_t> seeds,
                            std::int64_t work_limit) {
    Checker checker(evidence, work_limit);
    Cells clues(seeds.begin(), seeds.end());
    std::sort(clues.begin(), clues.end());
    // Step 7.1. Grow the set until it clashes.
    while (checker.fits(clues)) {
        auto more = checker.with_neighbours(clues);
        if (more.size() == clues.size()) break;
        clues = std::move(more);
    }
    // Step 7.2. Shrink it until no clue can be left out.
    clues = shrink(checker, Clashing(checker, clues), clues);
    const bool irreducible = checker.sure();
    // Step 7.3. Among few clues, search for a smallest set.
    Cells component = clues;
    while (component.size() <= few_clues) {
        auto more = checker.with_neighbours(component);
        if (more.size() == component.size()) {
            clues = smallest(checker, component, clues,
                             [&](const Cells& some) { return checker.fits(some); });
            break;
        }
        component = std::move(more);
    }
    return {clues, false, irreducible};
}

Contradiction explain_clash(const Evidence& evidence, const Component& component) {
    Cells clues;
    for (const auto& clue : component.clues)
        clues.push_back(clue.cell);
    return explain_clash(evidence, clues);
}

Contradiction explain_total_clash(const Evidence& evidence, std::int64_t work_limit) {
    Checker checker(evidence, work_limit);
    // Step 7.1.
    const auto all = checker.all_clues();
    const auto start = clashing_start(checker, apart_first(checker, all));
    // Step 7.2.
    auto clues = shrink(checker, ClashingWithTotal(checker, start), start);
    const bool irreducible = checker.sure();
    // Step 7.3.
    if (all.size() <= few_clues)
        clues = smallest(checker, all, clues,
                         [&](const Cells& some) { return checker.fits_total(some); });
    return {clues, true, irreducible};
}

}  // namespace mineproof
