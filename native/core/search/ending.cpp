#include "search/ending.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "board/index.hpp"
#include "board/random.hpp"

namespace mineproof {

namespace {

constexpr std::uint32_t tiny = 4;
// Looking at a cell of a layout takes about a nanosecond.
constexpr std::int64_t looks_per_unit = 10;

using Classes = std::array<std::uint32_t, Ending::outcomes>;

}  // namespace

EndingSearch::EndingSearch(const Ending& ending, std::int64_t work,
                           std::span<const LayoutSymmetry> symmetries)
    : ending_(ending), work_(work) {
    Random random(0x656e64696e67);
    std::vector<Key> own(ending.layouts());
    for (auto& key : own)
        key = {random.next(), random.next()};
    for (const auto& symmetry : symmetries) {
        auto& keys = keys_.emplace_back(own.size());
        for (std::size_t i = 0; i < own.size(); ++i)
            keys[i] = own[symmetry[i]];
    }
    if (keys_.empty()) keys_.push_back(std::move(own));
}

std::optional<std::uint32_t> EndingSearch::value() {
    try {
        return value(all(), 0);
    } catch (const OutOfWork&) {
        return std::nullopt;
    }
}

std::optional<std::uint32_t> EndingSearch::value_of(std::size_t cell, std::uint32_t least) {
    try {
        return open(all(), cell, least);
    } catch (const OutOfWork&) {
        return std::nullopt;
    }
}

std::optional<std::size_t> EndingSearch::best_cell() {
    try {
        const auto set = all();
        const auto view = look(set);
        if (view.free) return view.free;
        if (view.begin == view.end) {
            // Nothing tells layouts apart: any cell that is safe in some of them is as good.
            std::optional<std::size_t> safest;
            std::ptrdiff_t fewest = 0;
            for (std::size_t cell = 0; cell < ending_.cells().size(); ++cell) {
                const auto mines = std::ranges::count(ending_.shown(cell), Ending::mine);
                if (!safest || mines < fewest) {
                    safest = cell;
                    fewest = mines;
                }
            }
            return safest;
        }
        const auto best = value(set, 0);
        for (auto i = view.begin; i < view.end; ++i)
            if (choices_[i].safe >= best && open(set, choices_[i].cell, best) == best)
                return choices_[i].cell;
        return std::nullopt;
    } catch (const OutOfWork&) {
        return std::nullopt;
    }
}

EndingSearch::Set EndingSearch::all() {
    if (arena_.empty()) {
        arena_.resize(2 * ending_.layouts());
        std::iota(arena_.begin(), arena_.end(), 0U);
    }
    choices_.clear();
    return {0, ending_.layouts()};
}

EndingSearch::Key EndingSearch::key(Set set) const {
    Key least{~std::uint64_t{0}, ~std::uint64_t{0}};
    for (const auto& keys : keys_) {
        Key sum{0, 0};
        for (const auto layout : layouts(set)) {
            sum.low ^= keys[layout].low;
            sum.high ^= keys[layout].high;
        }
        if (sum.low < least.low || (sum.low == least.low && sum.high < least.high)) least = sum;
    }
    return least;
}

EndingSearch::View EndingSearch::look(Set set) {
    View view{std::nullopt, choices_.size(), choices_.size()};
    const auto cells = ending_.cells().size();
    const auto looks = static_cast<std::int64_t>(cells * set.size);
    work_ -= looks;
    reported_.add(looks / looks_per_unit);
    if (work_ < 0) throw OutOfWork{};
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto shown = ending_.shown(cell);
        Classes size{};
        for (const auto layout : layouts(set))
            ++size[shown[layout]];
        std::uint64_t spread = 0;
        int kinds = 0;
        for (std::size_t clue = 0; clue < Ending::mine; ++clue) {
            kinds += size[clue] > 0;
            spread += std::uint64_t{size[clue]} * size[clue];
        }
        if (kinds < 2) continue;
        if (size[Ending::mine] == 0) {
            view.free = cell;
            break;
        }
        const auto safe = static_cast<std::uint32_t>(set.size) - size[Ending::mine];
        choices_.push_back({static_cast<std::uint32_t>(cell), safe, spread});
    }
    if (view.free) choices_.resize(view.begin);
    view.end = choices_.size();
    std::ranges::sort(
        std::span(choices_).subspan(view.begin), [](const Choice& a, const Choice& b) {
            return std::tuple(b.safe, a.spread, a.cell) < std::tuple(a.safe, b.spread, b.cell);
        });
    return view;
}

// The value if it is at least `need`; otherwise an upper bound below that.
std::uint32_t EndingSearch::value(Set set, std::uint32_t need) {
    const auto size = static_cast<std::uint32_t>(set.size);
    if (size == 1 || size < need) return size;
    // Most sets are tiny. Searching them again takes less than keeping them.
    const bool keep = size > tiny;
    const auto own_key = keep ? key(set) : Key{};
    if (const auto found = keep ? known_.find(own_key) : known_.end(); found != known_.end())
        if (found->second.exact || found->second.value < need) return found->second.value;
    const auto view = look(set);
    std::uint32_t best = 1;
    std::uint32_t bound = 1;  // of everything that was not searched to the end
    if (view.free) {
        best = bound = open(set, *view.free, need);
    } else {
        for (auto i = view.begin; i < view.end; ++i) {
            const auto choice = choices_[i];  // a copy: the list may move when it grows
            const auto target = std::max(best + 1, need);
            const auto won = choice.safe < target ? choice.safe : open(set, choice.cell, target);
            if (won >= target)
                best = won;
            else
                bound = std::max(bound, won);
        }
    }
    choices_.resize(view.begin);
    const bool exact = best >= need;
    const auto result = exact ? best : std::max(best, bound);
    if (keep) known_.insert_or_assign(own_key, Known{result, exact});
    return result;
}

std::uint32_t EndingSearch::open(Set set, std::size_t cell, std::uint32_t need) {
    const auto shown = ending_.shown(cell);
    Classes size{};
    for (const auto layout : layouts(set))
        ++size[shown[layout]];
    std::array<std::uint8_t, Ending::mine> order{};
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::ranges::sort(order, [&](std::uint8_t a, std::uint8_t b) {
        return size[a] != size[b] ? size[a] > size[b] : a < b;
    });
    // The classes are written behind the set, the largest first, and searched from the last one, so
    // that each has the rest of the arena for itself. Small classes are decided fast and may show
    // that the target is out of reach.
    auto rest = set.size - size[Ending::mine];
    const auto begin = set.begin + set.size;
    if (arena_.size() < begin + rest) arena_.resize(2 * (begin + rest));
    std::array<std::size_t, Ending::outcomes> next{};
    auto end = begin;
    for (const auto clue : order) {
        next[clue] = end;
        end += size[clue];
    }
    for (auto i = set.begin; i < begin; ++i) {
        const auto layout = arena_[i];
        if (shown[layout] != Ending::mine) arena_[next[shown[layout]]++] = layout;
    }
    std::uint32_t sum = 0;
    for (auto clue = order.rbegin(); clue != order.rend(); ++clue) {
        if (size[*clue] == 0) continue;
        rest -= size[*clue];
        const auto others = sum + static_cast<std::uint32_t>(rest);
        sum += value({begin + rest, size[*clue]}, need > others ? need - others : 0);
        if (sum + rest < need) return sum + static_cast<std::uint32_t>(rest);
    }
    return sum;
}

}  // namespace mineproof
