// Cells, boxes and states are numbered by signed integers; containers want unsigned ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mineproof {

constexpr std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

}  // namespace mineproof
