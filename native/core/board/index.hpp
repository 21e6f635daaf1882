// Cells, boxes and states are numbered by signed integers; containers want unsigned ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mineproof {

constexpr std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Calls `use` with every place that holds the value, in ascending order. Rare ones are found fast.
template <class Byte, class Use>
void for_each_place(const std::vector<Byte>& bytes, Byte value, Use use) {
    static_assert(sizeof(Byte) == 1);
    const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto* const end = begin + bytes.size();
    for (const auto* at = begin; at != end; ++at) {
        at = static_cast<const unsigned char*>(
            std::memchr(at, static_cast<unsigned char>(value), static_cast<std::size_t>(end - at)));
        if (!at) return;
        use(static_cast<std::int32_t>(at - begin));
    }
}

}  // namespace mineproof
