#include "clash.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "frontier.hpp"
#include "index.hpp"
#include "layout_cache.hpp"
#include "outside.hpp"
#include "reckoning.hpp"

namespace mineproof {

namespace {

using Cells = std::vector<std::int32_t>;

// Up to this many clues a smallest clashing set is looked for, not just an irreducible one.
constexpr std::size_t few_clues = 20;

// Some seconds of work.
constexpr std::int64_t most_cells_judged = 150'000'000;
// What a component too wide to count costs, in cells judged.
constexpr std::int64_t costly = most_cells_judged / 10;

// Judges sets of clues of one observation: can they be met together?
class Judge {
  public:
    Judge(const Evidence& evidence, bool with_total) : evidence_(evidence), total_(with_total) {}

    // Whether enough has been spent: on a huge board what is found by then must do.
    bool tired() const { return cells_judged_ > most_cells_judged; }

    bool fits(const Cells& clues) {
        cells_judged_ += evidence_.topology.cells();
        const Frontier frontier(evidence_, no_probe, std::span<const std::int32_t>(clues));
        if (!frontier.clash().empty()) return false;
        const Outside outside(evidence_, frontier);
        std::vector<std::shared_ptr<const Layouts>> parts;
        for (std::size_t i = 0; i < frontier.components(); ++i) {
            const auto component = frontier.component(i);
            auto key = LayoutCache::key(component);
            auto layouts = cache_.find(key);
            if (!layouts) {
                Budget budget;
                auto counted = Layouts::count(component, make_plan(component), budget);
                if (!counted) {
                    // Too wide to judge: what does not provably clash is taken to fit.
                    cells_judged_ += costly;
                    unsure_ = true;
                    return true;
                }
                layouts = std::make_shared<const Layouts>(std::move(*counted));
                cache_.keep(std::move(key), layouts);
            }
            if (!layouts->possible()) return false;
            parts.push_back(std::move(layouts));
        }
        return !total_ || total_fits(parts, outside);
    }

    // Whether every judgement was sure.
    bool sure() const { return !unsure_ && !tired(); }

    // Clues that speak of an unknown cell one of these speaks of, these included.
    Cells with_neighbours(const Cells& clues) const {
        Cells result = clues;
        for (const auto clue : clues)
            for (const auto cell : evidence_.topology.neighbours(clue)) {
                if (!unknown(cell)) continue;
                for (const auto other : evidence_.topology.neighbours(cell))
                    if (speaks(other)) result.push_back(other);
            }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    Cells all_clues() const {
        Cells result;
        for (std::int32_t cell = 0; cell < evidence_.topology.cells(); ++cell) {
            const auto around = evidence_.topology.neighbours(cell);
            if (speaks(cell) && std::any_of(around.begin(), around.end(),
                                            [&](std::int32_t c) { return unknown(c); }))
                result.push_back(cell);
        }
        return result;
    }

  private:
    static bool total_fits(const std::vector<std::shared_ptr<const Layouts>>& parts,
                           const Outside& outside) {
        std::int64_t fewest = 0;
        std::int64_t most = 0;
        bool gaps = false;
        for (const auto& part : parts) {
            const auto& total = part->total();
            fewest += total.fewest;
            most += total.most();
            gaps = gaps || !std::all_of(total.weight.begin(), total.weight.end(),
                                        [](Wide weight) { return weight.positive(); });
        }
        if (fewest > outside.most() || most < outside.fewest()) return false;
        return !gaps || Reckoning(parts, outside).fits();
    }

    bool unknown(std::int32_t cell) const {
        const auto code = evidence_.cells[at(cell)];
        return code == cell::closed || (code == cell::flagged && !evidence_.trust_flags);
    }
    bool speaks(std::int32_t cell) const {
        const auto code = evidence_.cells[at(cell)];
        return code >= 0 || (code == cell::no_clue && evidence_.channel.loses_clues);
    }

    const Evidence& evidence_;
    bool total_;
    LayoutCache cache_;
    std::int64_t cells_judged_ = 0;
    bool unsure_ = false;
};

// Leaves out what can be left out, large pieces first, until nothing more can.
Cells shrink(Judge& judge, Cells clues) {
    for (auto piece = std::max<std::size_t>(clues.size() / 2, 1);; piece /= 2) {
        for (std::size_t begin = 0; begin < clues.size() && !judge.tired();) {
            const auto end = std::min(begin + piece, clues.size());
            Cells rest(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(begin));
            rest.insert(rest.end(), clues.begin() + static_cast<std::ptrdiff_t>(end), clues.end());
            if (judge.fits(rest))
                begin = end;
            else
                clues = std::move(rest);
        }
        if (piece <= 1 || judge.tired()) return clues;
    }
}

// The smallest clashing set among few clues, no larger than `known`. Every clashing set holds a
// clue of every "correction": clues whose absence lets the rest fit. So the smallest set that meets
// all corrections found so far either clashes, and is it, or yields one correction more.
Cells smallest(Judge& judge, const Cells& clues, const Cells& known) {
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
        if (!judge.fits(chosen(candidate))) return chosen(candidate);
        auto fitting = candidate;  // grown until nothing more fits
        for (std::size_t i = 0; i < clues.size(); ++i) {
            const auto more = fitting | std::uint32_t{1} << i;
            if (more != fitting && judge.fits(chosen(more))) fitting = more;
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

Contradiction explain_clash(const Evidence& evidence, std::span<const std::int32_t> seeds) {
    Judge judge(evidence, false);
    Cells clues(seeds.begin(), seeds.end());
    std::sort(clues.begin(), clues.end());
    while (judge.fits(clues)) {
        auto more = judge.with_neighbours(clues);
        if (more.size() == clues.size()) break;
        clues = std::move(more);
    }
    clues = shrink(judge, std::move(clues));
    const bool irreducible = judge.sure();
    Cells component = clues;
    while (component.size() <= few_clues) {
        auto more = judge.with_neighbours(component);
        if (more.size() == component.size()) {
            clues = smallest(judge, component, clues);
            break;
        }
        component = std::move(more);
    }
    return {clues, false, irreducible};
}

Contradiction explain_total_clash(const Evidence& evidence) {
    Judge judge(evidence, true);
    const auto all = judge.all_clues();
    auto clues = shrink(judge, all);
    const bool irreducible = judge.sure();
    if (all.size() <= few_clues) clues = smallest(judge, all, clues);
    return {clues, true, irreducible};
}

}  // namespace mineproof
