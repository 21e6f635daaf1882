// The arithmetics in which a circuit of layouts can be evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "board/cell.hpp"
#include "counting/wide.hpp"

namespace mineproof {

// Ways to choose the mines of a box. A box has at most as many cells as a clue has neighbours.
inline constexpr auto binomials = [] {
    std::array<std::array<std::uint8_t, max_degree + 1>, max_degree + 1> rows{};
    for (std::size_t n = 0; n <= max_degree; ++n) {
        rows[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k)
            rows[n][k] = static_cast<std::uint8_t>(rows[n - 1][k - 1] + rows[n - 1][k]);
    }
    return rows;
}();

inline double choose(int size, int mines) {
    return binomials[static_cast<std::size_t>(size)][static_cast<std::size_t>(mines)];
}

// Weights of layouts, in doubles if they are known to fit.
template <class Number>
struct WeightRing {
    using Value = Number;
    Value from_weight(Wide weight) const {
        if constexpr (std::is_same_v<Value, Wide>)
            return weight;
        else
            return weight.exponent == 0 ? weight.mantissa : ratio(weight, Wide{1.0, 0});
    }
    Value box_factor(Wide weight, int, int) const { return from_weight(weight); }
    Value product(Value a, Value b) const { return a * b; }
    void add_product(Value& sum, Value a, Value b) const { sum = sum + a * b; }
};
using RealRing = WeightRing<double>;
using WideRing = WeightRing<Wide>;

// Whether a layout exists.
struct BooleanRing {
    using Value = std::uint8_t;
    Value from_weight(Wide) const { return 1; }
    Value box_factor(Wide, int, int) const { return 1; }
    Value product(Value a, Value b) const { return a & b; }
    void add_product(Value& sum, Value a, Value b) const {
        sum = static_cast<Value>(sum | (a & b));
    }
};

// Numbers of layouts, rounded. Weights only tell whether a layout is possible.
struct CountRing : WideRing {
    Value from_weight(Wide) const { return Wide::of(1.0); }
    Value box_factor(Wide, int size, int mines) const { return Wide::of(choose(size, mines)); }
};

// Numbers of layouts modulo a prime below 2^31. Weights only tell whether a layout is possible.
// Sums stay below the square of the prime until they are complete.
struct ModularRing {
    using Value = std::uint64_t;
    std::uint64_t prime;
    std::uint64_t square = prime * prime;
    Value from_weight(Wide) const { return 1; }
    Value box_factor(Wide, int size, int mines) const {
        return static_cast<Value>(choose(size, mines));
    }
    Value product(Value a, Value b) const { return a * b % prime; }
    void add_product(Value& sum, Value a, Value b) const {
        sum += a * b;
        if (sum >= square) sum -= square;
    }
    Value complete(Value sum) const { return sum % prime; }
};

}  // namespace mineproof
