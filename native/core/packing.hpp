// Partial sums of several clues in one integer: a field per slot. The top bit of a field is spare,
// so sums can be added and compared in all fields at once.
#pragma once

#include <cstdint>
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

// Two words of fields. Fields neither straddle the words nor overflow, so these are independent.
struct WideKey {
    std::uint64_t low = 0, high = 0;

    friend bool operator==(WideKey a, WideKey b) = default;
    friend bool operator<(WideKey a, WideKey b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
    friend WideKey operator&(WideKey a, WideKey b) { return {a.low & b.low, a.high & b.high}; }
    friend WideKey operator|(WideKey a, WideKey b) { return {a.low | b.low, a.high | b.high}; }
    friend WideKey operator~(WideKey a) { return {~a.low, ~a.high}; }
    friend WideKey operator+(WideKey a, WideKey b) { return {a.low + b.low, a.high + b.high}; }
    friend WideKey operator-(WideKey a, WideKey b) { return {a.low - b.low, a.high - b.high}; }
};

struct WidePacking : Packing {
    void put(WideKey& key, int slot, std::uint64_t value) const {
        const bool low = slot < per_word();
        Packing::put(low ? key.low : key.high, low ? slot : slot - per_word(), value);
    }
    int get(WideKey key, int slot) const {
        const bool low = slot < per_word();
        return Packing::get(low ? key.low : key.high, low ? slot : slot - per_word());
    }
};

inline std::uint64_t scatter(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ key >> 32;
}
inline std::uint64_t scatter(WideKey key) {
    return scatter(key.low ^ scatter(key.high + 0x632BE59BD9B4E019u));
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
    std::int32_t find_or_add(Key key, std::int32_t fresh) {
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

    std::size_t place(Key key) const {
        const auto mask = slots_.size() - 1;
        auto i = static_cast<std::size_t>(scatter(key)) & mask;
        while (slots_[i].number >= 0 && !(slots_[i].key == key)) i = (i + 1) & mask;
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
