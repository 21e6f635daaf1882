// What one clue says about its unknown neighbours, given the known mines around it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "board/index.hpp"
#include "board/model.hpp"
#include "counting/components.hpp"

namespace mineproof {

// A clue while its neighbours are being settled.
struct Reading {
    std::int32_t cell;
    std::int8_t seen;
    std::int8_t degree;
    std::int8_t known = 0;    // known mines around it
    std::int8_t unknown = 0;  // unknown cells around it

    static std::int8_t symbol(std::int8_t code) {
        return code < 0 ? static_cast<std::int8_t>(no_clue_symbol) : code;
    }
};

class Reader {
  public:
    explicit Reader(const Channel& channel) : channel_(channel) {}

    double likelihood(const Reading& reading, int mines) const {
        const int count = reading.known + mines;
        if (channel_.exact) return count == reading.seen ? 1.0 : 0.0;
        return channel_.likelihood(reading.degree, count, reading.seen);
    }

    // The fewest and the most unknown mines that the clue allows, or nothing if it allows none.
    std::optional<std::pair<int, int>> bounds(const Reading& reading) const {
        if (channel_.exact) {
            const int left = reading.seen - reading.known;
            if (left < 0 || left > reading.unknown) return std::nullopt;
            return std::pair{left, left};
        }
        int fewest = 0;
        int most = reading.unknown;
        while (fewest <= most && likelihood(reading, fewest) == 0.0)
            ++fewest;
        while (fewest <= most && likelihood(reading, most) == 0.0)
            --most;
        if (fewest > most) return std::nullopt;
        return std::pair{fewest, most};
    }

    // Whether the clue may settle a cell or show a clash.
    bool decides(const Reading& reading) const {
        if (!channel_.exact) return true;
        const int left = reading.seen - reading.known;
        return left <= 0 || left >= reading.unknown;
    }

    // Whether the clue still carries information: some counts weigh more than others.
    bool informs(const Reading& reading) const {
        if (reading.unknown == 0) return false;
        if (channel_.exact) return true;
        const double first = likelihood(reading, 0);
        for (int mines = 1; mines <= reading.unknown; ++mines)
            if (likelihood(reading, mines) != first) return true;
        return false;
    }

    // The reading must be possible.
    Clue clue_of(const Reading& reading) const {
        const auto [fewest, most] = *bounds(reading);
        Clue clue{.cell = reading.cell,
                  .fewest = static_cast<std::int8_t>(fewest),
                  .most = static_cast<std::int8_t>(most),
                  .capacity = static_cast<std::uint8_t>(reading.unknown)};
        if (channel_.exact) {
            clue.weight[at(fewest)] = 1.0;
        } else {
            // A common factor does not change any answer. With the largest weight at 1, plain
            // doubles are enough for most channels.
            double largest = 0.0;
            for (int mines = fewest; mines <= most; ++mines)
                largest = std::max(largest, likelihood(reading, mines));
            for (int mines = fewest; mines <= most; ++mines)
                clue.weight[at(mines)] = likelihood(reading, mines) / largest;
        }
        return clue;
    }

  private:
    const Channel& channel_;
};

}  // namespace mineproof
