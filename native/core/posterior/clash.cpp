#include "posterior/clash.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board/index.hpp"
#include "counting/frontier.hpp"
#include "counting/layout_cache.hpp"
#include "counting/product_tree.hpp"
#include "counting/rings.hpp"

namespace mineproof {

namespace {

using Cells = std::vector<std::int32_t>;

// Up to this many clues a smallest clashing set is looked for, not just an irreducible one.
constexpr std::size_t few_clues = 20;

// Products that counting a component takes in the time of looking at a clue.
constexpr std::int64_t nodes_per_clue = 500;
// Clues looked at in the time of planning how to count one.
constexpr std::int64_t planning = 20;
// Cells whose fate is copied in that time.
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

// How many mines the cells that some clues speak of may hold.
struct Holding {
    std::int64_t cells = 0;
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    int too_wide = 0;             // parts too wide to count, which are taken to hold any number
    std::vector<Support> broken;  // of the parts where not every number in between can be

    void add(const Holding& other, int sign) {
        cells += sign * other.cells;
        fewest += sign * other.fewest;
        most += sign * other.most;
        too_wide += sign * other.too_wide;
    }
};

// Judges sets of clues of one observation: can they be met together?
class Judge {
  public:
    Judge(const Evidence& evidence, std::int64_t patience)
        : evidence_(evidence), surface_(evidence), patience_(patience) {}

    const Topology& topology() const { return evidence_.topology; }

    // Whether enough has been spent: on a huge board what is found by then must do.
    bool tired() const { return work_ > patience_; }
    // Whether every judgement since the last `start` was sure: what does not provably clash is
    // taken to fit.
    bool sure() const { return sure_ && !tired(); }
    void start() { sure_ = true; }

    // Nothing where the clues clash by themselves.
    std::optional<Holding> holding(const Cells& clues) {
        work_ += static_cast<std::int64_t>(clues.size()) + topology().cells() / cells_per_clue;
        const Frontier frontier(evidence_, surface_, clues);
        if (!frontier.clash().empty()) return std::nullopt;
        Holding result;
        result.cells = surface_.unknown - frontier.interior();
        result.fewest = result.most = frontier.known_mines() - surface_.mined;
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
            if (widest_gap(support) > 0) result.broken.push_back(std::move(support));
        }
        return result;
    }

    bool fits(const Cells& clues) {
        const auto held = holding(clues);
        if (held && held->too_wide > 0) sure_ = false;
        return held.has_value();
    }

    bool fits_total(const Cells& clues) {
        const auto held = holding(clues);
        return held && fits_total(*held, held->broken);
    }

    bool fits_total(const Holding& held, std::span<const Support> broken) {
        const bool fits = can_share_out(held, broken);
        if (fits && held.too_wide > 0) sure_ = false;
        return fits;
    }

    bool unknown(std::int32_t cell) const { return surface_.fate[at(cell)] == Fate::unknown; }

    // Clues that speak of an unknown cell one of these speaks of, these included.
    Cells with_neighbours(const Cells& clues) const {
        Cells result = clues;
        for (const auto clue : clues)
            for (const auto cell : topology().neighbours(clue)) {
                if (!unknown(cell)) continue;
                for (const auto other : topology().neighbours(cell))
                    if (speaks(other)) result.push_back(other);
            }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    Cells all_clues() const {
        Cells result;
        for (std::int32_t cell = 0; cell < topology().cells(); ++cell) {
            const auto around = topology().neighbours(cell);
            if (speaks(cell) && std::any_of(around.begin(), around.end(),
                                            [&](std::int32_t c) { return unknown(c); }))
                result.push_back(cell);
        }
        return result;
    }

  private:
    // Whether the mines left can be shared out between what clues speak of and the rest.
    bool can_share_out(const Holding& held, std::span<const Support> broken) const {
        const auto most_left = evidence_.prior.mines - surface_.mined;
        const auto fewest_left = most_left - (surface_.unknown - held.cells);
        if (held.fewest > most_left || held.most < fewest_left) return false;
        // A sum has no wider gap than its parts, and the rest of it fills gaps.
        auto gap = 0;
        auto room = held.most - held.fewest + most_left - fewest_left;
        for (const auto& support : broken) {
            gap = std::max(gap, widest_gap(support));
            room -= support.most() - support.fewest;
        }
        if (gap <= room) return true;
        const ProductTree<BooleanRing> tree({broken.begin(), broken.end()});
        const auto& all = tree.all();
        const auto fewest = held.fewest - all.fewest;
        const auto most = held.most - all.most();
        for (auto mines = all.fewest; mines <= all.most(); ++mines)
            if (all.weight[at(mines - all.fewest)] && fewest + mines <= most_left &&
                most + mines >= fewest_left)
                return true;
        return false;
    }

    std::shared_ptr<const Layouts> count(const Component& component) {
        auto key = LayoutCache::key(component);
        auto layouts = cache_.find(key);
        if (layouts) return layouts;
        auto budget = per_component;
        work_ += planning * static_cast<std::int64_t>(component.clues.size());
        const auto plan = make_plan(component, static_cast<double>(budget.nodes));
        auto counted = Layouts::count(component, plan, budget);
        work_ += (counted ? per_component.nodes - budget.nodes : budget.nodes) / nodes_per_clue;
        if (!counted) return nullptr;
        layouts = std::make_shared<const Layouts>(std::move(*counted));
        cache_.keep(std::move(key), layouts);
        return layouts;
    }

    bool speaks(std::int32_t cell) const {
        const auto code = evidence_.cells[at(cell)];
        return code >= 0 || (code == cell::no_clue && evidence_.channel.loses_clues);
    }

    const Evidence& evidence_;
    const Surface surface_;
    const std::int64_t patience_;
    LayoutCache cache_;
    std::int64_t work_ = 0;  // clues looked at
    bool sure_ = true;
};

// Clues that clash, where any may be left out as long as the rest clash.
class Clashing {
  public:
    Clashing(Judge& judge, Cells clues) : judge_(judge), clues_(std::move(clues)) {}

    const Cells& clues() const { return clues_; }

    bool leave_out(std::span<const std::int32_t> some) {
        Cells rest;
        std::set_difference(clues_.begin(), clues_.end(), some.begin(), some.end(),
                            std::back_inserter(rest));
        if (judge_.fits(rest)) return false;
        clues_ = std::move(rest);
        return true;
    }

  private:
    Judge& judge_;
    Cells clues_;
};

// Likewise for clues that clash with the mine total. They fall into regions that share no unknown
// cell, of which only those touched are judged anew.
class ClashingWithTotal {
  public:
    ClashingWithTotal(Judge& judge, const Cells& clues)
        : judge_(judge), region_of_(at(judge.topology().cells()), absent) {
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
            sum.add(regions_[at(id)].holding, -1);
            for (const auto clue : regions_[at(id)].clues)
                if (region_of_[at(clue)] != absent) rest.push_back(clue);
        }
        auto pieces = regions_of(rest);
        for (const auto& piece : pieces)
            sum.add(piece.holding, 1);
        if (judge_.fits_total(sum, broken(touched, pieces))) {
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
    static constexpr std::int32_t loose = -2;  // while clues are sorted into regions

    struct Region {
        Cells clues;
        Holding holding;
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
                for (const auto cell : judge_.topology().neighbours(region.clues[i])) {
                    if (!judge_.unknown(cell)) continue;
                    for (const auto other : judge_.topology().neighbours(cell)) {
                        if (region_of_[at(other)] != loose) continue;
                        region_of_[at(other)] = absent;
                        region.clues.push_back(other);
                    }
                }
            std::sort(region.clues.begin(), region.clues.end());
            region.holding = *judge_.holding(region.clues);
            regions.push_back(std::move(region));
        }
        return regions;
    }

    void keep(Region region) {
        const auto id = static_cast<std::int32_t>(regions_.size());
        for (const auto clue : region.clues)
            region_of_[at(clue)] = id;
        sum_.add(region.holding, 1);
        if (!region.holding.broken.empty()) with_gaps_.push_back(id);
        regions_.push_back(std::move(region));
    }

    void give_up(std::int32_t id) {
        sum_.add(regions_[at(id)].holding, -1);
        std::erase(with_gaps_, id);
        regions_[at(id)] = {};
    }

    std::vector<Support> broken(std::span<const std::int32_t> without,
                                std::span<const Region> and_of) const {
        std::vector<Support> result;
        const auto add = [&](const Region& region) {
            const auto& broken = region.holding.broken;
            result.insert(result.end(), broken.begin(), broken.end());
        };
        for (const auto id : with_gaps_)
            if (!std::binary_search(without.begin(), without.end(), id)) add(regions_[at(id)]);
        for (const auto& region : and_of)
            add(region);
        return result;
    }

    Judge& judge_;
    std::vector<std::int32_t> region_of_;  // by cell
    std::vector<Region> regions_;
    std::vector<std::int32_t> with_gaps_;  // regions
    Holding sum_;                          // but for what is broken
};

// Leaves out what can be left out, large pieces first, until nothing more can.
template <class Set>
Cells shrink(Judge& judge, Set set, Cells clues) {
    for (auto piece = std::max<std::size_t>(clues.size() / 2, 1);; piece /= 2) {
        judge.start();
        Cells needed;
        for (std::size_t begin = 0; begin < clues.size(); begin += piece) {
            const auto some =
                std::span(clues).subspan(begin, std::min(piece, clues.size() - begin));
            if (judge.tired() || !set.leave_out(some))
                needed.insert(needed.end(), some.begin(), some.end());
        }
        clues = std::move(needed);
        if (piece <= 1 || judge.tired()) break;
    }
    return set.clues();
}

// Clues no two of which speak of the same cell, then the others. What clashes with the total mostly
// shows in the first, where every clue is a region of its own.
Cells apart_first(const Judge& judge, const Cells& clues) {
    Cells result;
    Cells others;
    std::vector<std::uint8_t> taken(at(judge.topology().cells()), 0);
    for (const auto clue : clues) {
        const auto around = judge.topology().neighbours(clue);
        const bool apart = std::none_of(around.begin(), around.end(), [&](std::int32_t cell) {
            return judge.unknown(cell) && taken[at(cell)];
        });
        (apart ? result : others).push_back(clue);
        if (!apart) continue;
        for (const auto cell : around)
            taken[at(cell)] = 1;
    }
    result.insert(result.end(), others.begin(), others.end());
    return result;
}

// The fewest of the clues, from the first on, that clash with the mine total.
Cells clashing_start(Judge& judge, const Cells& clues) {
    std::size_t fits = 0;  // so many fit, but for the whole
    auto clash = clues.size();
    if (clash > 0 && !judge.fits_total({})) return {};
    while (clash > fits + 1) {
        const auto middle = fits + (clash - fits) / 2;
        Cells start(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(middle));
        (judge.fits_total(start) ? fits : clash) = middle;
    }
    return {clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(clash)};
}

// The smallest clashing set among few clues, no larger than `known`. Every clashing set holds a
// clue of every "correction": clues whose absence lets the rest fit. So the smallest set that meets
// all corrections found so far either clashes, and is it, or yields one correction more.
template <class Fits>
Cells smallest(const Judge& judge, const Cells& clues, const Cells& known, Fits fits) {
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
    while (!judge.tired()) {
        if (!fits(chosen(candidate))) return chosen(candidate);
        auto fitting = candidate;  // grown until nothing more fits
        for (std::size_t i = 0; i < clues.size(); ++i) {
            const auto more = fitting | std::uint32_t{1} << i;
            if (more != fitting && fits(chosen(more))) fitting = more;
        }
        corrections.push_back(everything & ~fitting);
        // Masks of one size in rising order, then the next size.
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
                            std::int64_t patience) {
    Judge judge(evidence, patience);
    Cells clues(seeds.begin(), seeds.end());
    std::sort(clues.begin(), clues.end());
    while (judge.fits(clues)) {
        auto more = judge.with_neighbours(clues);
        if (more.size() == clues.size()) break;
        clues = std::move(more);
    }
    clues = shrink(judge, Clashing(judge, clues), clues);
    const bool irreducible = judge.sure();
    Cells component = clues;
    while (component.size() <= few_clues) {
        auto more = judge.with_neighbours(component);
        if (more.size() == component.size()) {
            clues = smallest(judge, component, clues,
                             [&](const Cells& some) { return judge.fits(some); });
            break;
        }
        component = std::move(more);
    }
    return {clues, false, irreducible};
}

Contradiction explain_total_clash(const Evidence& evidence, std::int64_t patience) {
    Judge judge(evidence, patience);
    const auto all = judge.all_clues();
    const auto start = clashing_start(judge, apart_first(judge, all));
    auto clues = shrink(judge, ClashingWithTotal(judge, start), start);
    const bool irreducible = judge.sure();
    if (all.size() <= few_clues)
        clues =
            smallest(judge, all, clues, [&](const Cells& some) { return judge.fits_total(some); });
    return {clues, true, irreducible};
}

}  // namespace mineproof
