// A set of cells that is fast to change, to count and to go through in order.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineproof {

class CellSet {
  public:
    // Empties the set, and makes room for the cells of a board.
    void reset(std::size_t cells) {
        words_.assign((cells + 63) / 64, 0);
        size_ = 0;
    }

    bool contains(std::int32_t cell) const { return (word(cell) & bit(cell)) != 0; }
    std::int32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    void set(std::int32_t cell, bool member) {
        if (contains(cell) == member) return;
        word(cell) ^= bit(cell);
        size_ += member ? 1 : -1;
    }

    // The first cell, or -1.
    std::int32_t first() const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (words_[i]) return place(i, words_[i]);
        return -1;
    }

    // The first cell that is in both sets, or -1.
    std::int32_t first_common(const CellSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (const auto both = words_[i] & other.words_[i]) return place(i, both);
        return -1;
    }

    // The cell that has this many before it.
    std::int32_t nth(std::int32_t number) const {
        assert(0 <= number && number < size_);
        for (std::size_t i = 0;; ++i) {
            auto word = words_[i];
            const auto here = std::popcount(word);
            if (number >= here) {
                number -= here;
                continue;
            }
            for (; number > 0; --number)
                word &= word - 1;
            return place(i, word);
        }
    }

    // Calls `use` with each cell in ascending order. It may take the cell itself out of the set.
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (auto word = words_[i]; word; word &= word - 1)
                use(place(i, word));
    }

    // The first cell for which `accepts` is true, or -1.
    template <class Accepts>
    std::int32_t find(Accepts accepts) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (auto word = words_[i]; word; word &= word - 1)
                if (const auto cell = place(i, word); accepts(cell)) return cell;
        return -1;
    }

  private:
    static std::int32_t place(std::size_t index, std::uint64_t word) {
        return static_cast<std::int32_t>(index) * 64 + std::countr_zero(word);
    }
    static std::uint64_t bit(std::int32_t cell) { return std::uint64_t{1} << (cell & 63); }
    std::uint64_t word(std::int32_t cell) const {
        return words_[static_cast<std::size_t>(cell >> 6)];
    }
    std::uint64_t& word(std::int32_t cell) { return words_[static_cast<std::size_t>(cell >> 6)]; }

    std::vector<std::uint64_t> words_;
    std::int32_t size_ = 0;
};

}  // namespace mineproof
