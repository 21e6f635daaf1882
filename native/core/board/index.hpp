// Cells, boxes and states have signed numbers, but containers are indexed by unsigned ones.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mineproof {

constexpr std::size_t at(std::int64_t index) {
    assert(index >= 0);
    return static_cast<std::size_t>(index);
}

// Calls `use` with every place that holds the value, in ascending order. Fast if the value is rare.
template <class Byte, class Use>
void for_each_place(const std::vector<Byte>& bytes, Byte value, Use use) {
    static_assert(sizeof(Byte) == 1);
    const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto* const end = begin + bytes.size();
    for (const auto* next = begin; next != end; ++next) {
        next = static_cast<const unsigned char*>(std::memchr(
            next, static_cast<unsigned char>(value), static_cast<std::size_t>(end - next)));
        if (!next) return;
        use(static_cast<std::int32_t>(next - begin));
    }
}

}  // namespace mineproof
