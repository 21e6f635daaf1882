// The channels under which some agents read clues differently.
#pragma once

#include "board/model.hpp"

namespace mineproof {

// Whether each chance of the channel is the one that `chance(neighbours, true count, seen)` gives.
template <class Chance>
bool is_channel(const Channel& channel, Chance chance) {
    for (int neighbours = 0; neighbours <= max_degree; ++neighbours)
        for (int count = 0; count <= max_degree; ++count)
            for (int seen = 0; seen < symbols; ++seen) {
                const double expected = count <= neighbours ? chance(neighbours, count, seen) : 0.0;
                if (channel.likelihood(neighbours, count, seen) != expected) return false;
            }
    return true;
}

// Every clue from 0 to the true count is equally likely.
inline bool is_optimistic(const Channel& channel) {
    return is_channel(
        channel, [](int, int count, int seen) { return seen <= count ? 1.0 / (count + 1) : 0.0; });
}

// Every clue from the true count to the number of neighbours is equally likely.
inline bool is_cautious(const Channel& channel) {
    return is_channel(channel, [](int neighbours, int count, int seen) {
        return count <= seen && seen <= neighbours ? 1.0 / (neighbours - count + 1) : 0.0;
    });
}

}  // namespace mineproof
