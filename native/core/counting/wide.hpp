// A non-negative number whose range has no end that weights could reach: a double and an exponent.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

namespace mineproof {

// The value is mantissa * 2^(512 * exponent). The mantissa is 0 or within [2^-256, 2^256), so a
// product never leaves the range of a double, and equal numbers look equal.
struct Wide {
    double mantissa = 0.0;
    std::int64_t exponent = 0;

    static constexpr double step = 0x1p512;
    static constexpr double top = 0x1p256;

    // Of any finite double from 0, tiny ones included.
    static Wide of(double value) { return Wide{value, 0}.normal().normal(); }
    static Wide from_log(double log) {
        const double steps = std::floor(log / std::log(step) + 0.5);
        return Wide{std::exp(log - steps * std::log(step)), static_cast<std::int64_t>(steps)}
            .normal();
    }

    bool positive() const { return mantissa > 0.0; }
    double log() const {
        return std::log(mantissa) + static_cast<double>(exponent) * std::log(step);
    }

    friend Wide operator*(Wide a, Wide b) {
        return Wide{a.mantissa * b.mantissa, a.exponent + b.exponent}.normal();
    }
    friend Wide operator+(Wide a, Wide b) {
        if (a.exponent == b.exponent) return Wide{a.mantissa + b.mantissa, a.exponent}.normal();
        if (!a.positive() || (b.positive() && a.exponent < b.exponent)) std::swap(a, b);
        // One step apart the smaller may still count; two apart it is below every digit.
        if (b.positive() && a.exponent == b.exponent + 1) a.mantissa += b.mantissa / step;
        return a.normal();
    }
    friend bool operator<(Wide a, Wide b) {
        if (!a.positive() || !b.positive()) return !a.positive() && b.positive();
        return a.exponent == b.exponent ? a.mantissa < b.mantissa : a.exponent < b.exponent;
    }

    // a / b as a double; a positive quotient is never rounded to zero.
    friend double ratio(Wide a, Wide b) {
        if (!a.positive()) return 0.0;
        const auto steps = a.exponent - b.exponent;
        const double quotient = a.mantissa / b.mantissa;
        if (steps == 0) return quotient;
        if (steps < -2) return least_positive;
        if (steps > 2) return INFINITY;
        const double value = std::ldexp(quotient, static_cast<int>(512 * steps));
        return value > 0.0 ? value : least_positive;
    }

  private:
    static constexpr double least_positive = 0x1p-1022;

    Wide normal() const {
        if (mantissa >= top) return {mantissa / step, exponent + 1};
        if (mantissa < 1.0 / top)
            return mantissa > 0.0 ? Wide{mantissa * step, exponent - 1} : Wide{};
        return *this;
    }
};

}  // namespace mineproof
