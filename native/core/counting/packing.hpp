// Partial sums of several clues in one integer, with one field per slot. The top bit of a field is
// spare, so all fields can be added or compared at once.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

namespace mineproof {

struct Packing {
    int bits;  // per field

    int per_word() const { return 64 / bits; }
    std::uint64_t full() const { return (std::uint64_t{1} << bits) - 1; }
    std::uint64_t spare() const { return std::uint64_t{1} << (bits - 1); }

    void put(std::uint64_t& key, int slot, std::uint64_t value) const {
        key |= value << (slot * bits);
    }
    int get(std::uint64_t key, int slot) const {
        return static_cast<int>(key >> (slot * bits) & full());
    }
};

// Several words of fields. No field crosses a word or overflows, so words are independent.
template <std::size_t N>
struct WideKey {
    std::array<std::uint64_t, N> words{};

    friend bool operator==(const WideKey&, const WideKey&) = default;
    friend auto operator<=>(const WideKey&, const WideKey&) = default;
    friend WideKey operator&(const WideKey& a, const WideKey& b) {
        return each(a, b, std::bit_and{});
    }
    friend WideKey operator|(const WideKey& a, const WideKey& b) {
        return each(a, b, std::bit_or{});
    }
    friend WideKey operator+(const WideKey& a, const WideKey& b) { return each(a, b, std::plus{}); }
    friend WideKey operator-(const WideKey& a, const WideKey& b) {
        return each(a, b, std::minus{});
    }
    friend WideKey operator~(const WideKey& a) {
        WideKey result;
        for (std::size_t i = 0; i < N; ++i)
            result.words[i] = ~a.words[i];
        return result;
    }

  private:
    template <class Operation>
    static WideKey each(const WideKey& a, const WideKey& b, Operation operation) {
        WideKey result;
        for (std::size_t i = 0; i < N; ++i)
            result.words[i] = operation(a.words[i], b.words[i]);
        return result;
    }
};

template <std::size_t N>
struct WidePacking : Packing {
    void put(WideKey<N>& key, int slot, std::uint64_t value) const {
        Packing::put(key.words[static_cast<std::size_t>(slot / per_word())], slot % per_word(),
                     value);
    }
    int get(const WideKey<N>& key, int slot) const {
        return Packing::get(key.words[static_cast<std::size_t>(slot / per_word())],
                            slot % per_word());
    }
};

template <class Key>
struct PackingFor;
template <>
struct PackingFor<std::uint64_t> {
    using Type = Packing;
};
template <std::size_t N>
struct PackingFor<WideKey<N>> {
    using Type = WidePacking<N>;
};

inline std::uint64_t scatter(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ key >> 32;
}
template <std::size_t N>
std::uint64_t scatter(const WideKey<N>& key) {
    std::uint64_t result = 0;
    for (const auto word : key.words)
        result = scatter(result + word + 0x632BE59BD9B4E019u);
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
