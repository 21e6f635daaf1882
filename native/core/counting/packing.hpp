// Partial sums of several clues in few integers, with one field per slot. The top bit of a field is
// spare, so all fields can be added or compared at once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace mineproof {

// Words of fields. No field crosses a word or overflows, so words are independent.
template <std::size_t N>
struct PackedSums {
    std::array<std::uint64_t, N> words{};

    friend bool operator==(const PackedSums& a, const PackedSums& b) {
        std::uint64_t differs = 0;
        for (std::size_t i = 0; i < N; ++i)
            differs |= a.words[i] ^ b.words[i];
        return differs == 0;
    }
    friend bool operator<(const PackedSums& a, const PackedSums& b) {
        for (std::size_t i = 0; i + 1 < N; ++i)
            if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
        return a.words[N - 1] < b.words[N - 1];
    }
    friend PackedSums operator&(const PackedSums& a, const PackedSums& b) {
        return each(a, b, std::bit_and{});
    }
    friend PackedSums operator|(const PackedSums& a, const PackedSums& b) {
        return each(a, b, std::bit_or{});
    }
    friend PackedSums operator+(const PackedSums& a, const PackedSums& b) {
        return each(a, b, std::plus{});
    }
    friend PackedSums operator-(const PackedSums& a, const PackedSums& b) {
        return each(a, b, std::minus{});
    }
    PackedSums without(const PackedSums& other) const {
        return each(*this, other, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
    }

  private:
    template <class Operation>
    static PackedSums each(const PackedSums& a, const PackedSums& b, Operation operation) {
        PackedSums result;
        for (std::size_t i = 0; i < N; ++i)
            result.words[i] = operation(a.words[i], b.words[i]);
        return result;
    }
};

struct Packing {
    int bits;  // per field

    int per_word() const { return 64 / bits; }
    std::uint64_t full() const { return (std::uint64_t{1} << bits) - 1; }
    std::uint64_t spare() const { return std::uint64_t{1} << (bits - 1); }

    template <std::size_t N>
    void put(PackedSums<N>& sums, int slot, std::uint64_t value) const {
        const auto [word, shift] = place<N>(slot);
        sums.words[word] |= value << shift;
    }
    template <std::size_t N>
    int get(const PackedSums<N>& sums, int slot) const {
        const auto [word, shift] = place<N>(slot);
        return static_cast<int>(sums.words[word] >> shift & full());
    }

  private:
    struct Place {
        std::size_t word;
        int shift;
    };
    template <std::size_t N>
    Place place(int slot) const {
        if constexpr (N == 1) return {0, slot * bits};  // without a slow division
        return {static_cast<std::size_t>(slot / per_word()), slot % per_word() * bits};
    }
};

template <std::size_t N>
std::uint64_t scatter(const PackedSums<N>& sums) {
    std::uint64_t result = 0;
    for (const auto word : sums.words) {
        result = (result + word) * 0x9E3779B97F4A7C15u;
        result ^= result >> 32;
    }
    return result;
}

// Numbers keys in order of first appearance.
template <class Key>
class KeyIndex {
  public:
    void clear() {
        // After a large table, shrink again: clearing takes time proportional to the slots.
        if (slots_.size() < smallest || count_ * 32 < slots_.size()) slots_.resize(smallest);
        slots_.assign(slots_.size(), Slot{});
        count_ = 0;
    }

    // Returns the number of `key`. A new key gets the number `fresh`.
    std::int32_t find_or_add(const Key& key, std::int32_t fresh) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        auto& slot = slots_[place(key)];
        if (slot.number < 0) {
            slot = {key, fresh};
            ++count_;
        }
        return slot.number;
    }

    // An upper bound, which does not depend on what the index held before.
    std::size_t most_bytes() const { return 6 * count_ * sizeof(Slot); }

  private:
    static constexpr std::size_t smallest = 16;
    struct Slot {
        Key key{};
        std::int32_t number = -1;
    };

    std::size_t place(const Key& key) const {
        const auto mask = slots_.size() - 1;
        auto i = static_cast<std::size_t>(scatter(key)) & mask;
        while (slots_[i].number >= 0 && !(slots_[i].key == key))
            i = (i + 1) & mask;
        return i;
    }

    void grow() {
        const auto old = std::move(slots_);
        slots_.assign(old.size() * 2, Slot{});
        for (const auto& slot : old)
            if (slot.number >= 0) slots_[place(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

}  // namespace mineproof
