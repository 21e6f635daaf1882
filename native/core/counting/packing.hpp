// Partial sums of several clues in one integer: a field per slot. The top bit of a field is spare,
// so sums can be added and compared in all fields at once.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

namespace mineproof {

struct Packing {
    int width;  // bits of a field

    int per_word() const { return 64 / width; }
    std::uint64_t full() const { return (std::uint64_t{1} << width) - 1; }
    std::uint64_t spare() const { return std::uint64_t{1} << (width - 1); }

    void put(std::uint64_t& key, int slot, std::uint64_t value) const {
        key |= value << (slot * width);
    }
    int get(std::uint64_t key, int slot) const {
        return static_cast<int>(key >> (slot * width) & full());
    }
};

// Several words of fields. Fields neither straddle words nor overflow, so words are independent.
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

// Numbers keys in the order of their first appearance.
template <class Key>
class KeyIndex {
  public:
    void clear() {
        // A table that was large once should not make every later one pay for it.
        if (slots_.size() < smallest || count_ * 32 < slots_.size()) slots_.resize(smallest);
        slots_.assign(slots_.size(), Slot{});
        count_ = 0;
    }

    // The number of `key`, which becomes `fresh` if it has none.
    std::int32_t find_or_add(const Key& key, std::int32_t fresh) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        auto& slot = slots_[place(key)];
        if (slot.number < 0) {
            slot = {key, fresh};
            ++count_;
        }
        return slot.number;
    }

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
