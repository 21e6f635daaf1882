// The end of a game: few layouts are left, so the rest can be played optimally by search over sets
// of layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board/checkpoint.hpp"

namespace mineproof {

// Equally likely layouts of some cells, and what each cell shows in each of them.
class Ending {
  public:
    // What a cell shows if it is a mine; a safe one shows its clue.
    static constexpr std::uint8_t mine = 9;
    static constexpr std::size_t outcomes = 10;

    // `shown` has a row of `layouts` bytes per cell.
    Ending(std::vector<std::int32_t> cells, std::size_t layouts, std::vector<std::uint8_t> shown)
        : cells_(std::move(cells)), layouts_(layouts), shown_(std::move(shown)) {}

    std::span<const std::int32_t> cells() const { return cells_; }
    std::size_t layouts() const { return layouts_; }
    std::span<const std::uint8_t> shown(std::size_t cell) const {
        return std::span(shown_).subspan(cell * layouts_, layouts_);
    }

  private:
    std::vector<std::int32_t> cells_;
    std::size_t layouts_;
    std::vector<std::uint8_t> shown_;
};

// Maps each layout to the one that a symmetry of the board turns it into.
using LayoutSymmetry = std::vector<std::uint32_t>;

// Optimal play in an ending. The value of a set of layouts is the number of them that optimal play
// wins. Cells that are safe in all of them cost nothing, so they are opened first, and the value
// depends on the set alone. A cell is dead if it shows the same clue wherever it is safe: opening
// it can wait, so dead cells are not searched.
class EndingSearch {
  public:
    // Stops after looking at `work` cells of layouts in total.
    EndingSearch(const Ending& ending, std::int64_t work,
                 std::span<const LayoutSymmetry> symmetries = {});

    // The layouts that optimal play wins; nothing if the work does not suffice.
    std::optional<std::uint32_t> value();

    // The layouts that are won by opening a cell and playing optimally after that. Less than
    // `least` means: fewer than `least`, and not more than that. Nothing if the work does not
    // suffice. Cells are numbered as in the ending.
    std::optional<std::uint32_t> value_of(std::size_t cell, std::uint32_t least = 0);

    // A cell that optimal play opens, one that is certainly safe if there is any.
    std::optional<std::size_t> best_cell();

    std::int64_t work_left() const { return work_; }

  private:
    struct Key {
        std::uint64_t low, high;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.low); }
    };
    struct Known {
        std::uint32_t value;
        bool exact;  // otherwise an upper bound
    };
    struct OutOfWork {};
    // Layouts, by their place in the arena: it may move when it grows.
    struct Set {
        std::size_t begin, size;
    };
    struct Choice {
        std::uint32_t cell;
        std::uint32_t safe;    // layouts in which it is safe
        std::uint64_t spread;  // sum of squares of the classes that its clue tells apart
    };
    struct View {
        std::optional<std::size_t> free;  // a cell that is safe in all layouts and tells some apart
        std::size_t begin, end;           // live cells among `choices_`, the most promising first
    };

    std::uint32_t value(Set set, std::uint32_t need);
    std::uint32_t open(Set set, std::size_t cell, std::uint32_t need);
    View look(Set set);
    Key key(Set set) const;
    Set all();
    std::span<const std::uint32_t> layouts(Set set) const {
        return std::span(arena_).subspan(set.begin, set.size);
    }

    const Ending& ending_;
    std::int64_t work_;
    Work reported_;
    std::vector<std::vector<Key>> keys_;  // by symmetry, of each layout
    // Of the sets on one path of the search, each behind those before it.
    std::vector<std::uint32_t> arena_;  // layouts
    std::vector<Choice> choices_;
    std::unordered_map<Key, Known, KeyHash> known_;
};

}  // namespace mineproof
