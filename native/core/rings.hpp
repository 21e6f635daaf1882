// The arithmetics in which a circuit of layouts can be evaluated.
#pragma once

#include <array>
#include <cstdint>

#include "cell.hpp"

namespace mineproof {

// Ways to choose the mines of a box: boxes are no larger than a cell has neighbours.
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

// Weights of layouts.
struct RealRing {
    using Value = double;
    Value box_factor(double weight, int, int) const { return weight; }
    Value times_weight(double weight, Value value) const { return weight * value; }
    Value product(Value a, Value b) const { return a * b; }
    Value add_product(Value sum, Value a, Value b) const { return sum + a * b; }
};

// Whether there is a layout at all.
struct BooleanRing {
    using Value = std::uint8_t;
    Value box_factor(double, int, int) const { return 1; }
    Value times_weight(double, Value value) const { return value; }
    Value product(Value a, Value b) const { return a & b; }
    Value add_product(Value sum, Value a, Value b) const {
        return static_cast<Value>(sum | (a & b));
    }
};

// Numbers of layouts modulo a prime below 2^31: weights only say which there are.
struct ModularRing {
    using Value = std::uint64_t;
    std::uint64_t prime;
    Value box_factor(double, int size, int mines) const {
        return static_cast<Value>(choose(size, mines));
    }
    Value times_weight(double, Value value) const { return value; }
    Value add_product(Value sum, Value a, Value b) const { return (sum + a * b) % prime; }
};

}  // namespace mineproof
