// A non-negative number of practically unlimited range: a double with an exponent of its own.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

namespace mineproof {

// The value is mantissa * radix^exponent. The mantissa is 0 or in [2^-256, 2^256), so a product
// never leaves the range of a double, and equal numbers have equal members.
struct Wide {
    double mantissa = 0.0;
    std::int64_t exponent = 0;

    static constexpr double radix = 0x1p512;
    static constexpr double top = 0x1p256;

    // From any finite double that is not negative, denormal ones included.
    static Wide of(double value) { return Wide{value, 0}.normal().normal(); }
    static Wide from_log(double log) {
        const double exponent = std::floor(log / std::log(radix) + 0.5);
        return Wide{std::exp(log - exponent * std::log(radix)), static_cast<std::int64_t>(exponent)}
            .normal();
    }

    bool positive() const { return mantissa > 0.0; }
    double log() const {
        return std::log(mantissa) + static_cast<double>(exponent) * std::log(radix);
    }

    friend Wide operator*(Wide a, Wide b) {
        return Wide{a.mantissa * b.mantissa, a.exponent + b.exponent}.normal();
    }
    friend Wide operator+(Wide a, Wide b) {
        if (a.exponent == b.exponent) return Wide{a.mantissa + b.mantissa, a.exponent}.normal();
        if (!a.positive() || (b.positive() && a.exponent < b.exponent)) std::swap(a, b);
        // With exponents one apart the smaller number may still matter. Two apart it is smaller
        // than the last digit of the larger one.
        if (b.positive() && a.exponent == b.exponent + 1) a.mantissa += b.mantissa / radix;
        return a.normal();
    }
    friend bool operator<(Wide a, Wide b) {
        if (!a.positive() || !b.positive()) return !a.positive() && b.positive();
        return a.exponent == b.exponent ? a.mantissa < b.mantissa : a.exponent < b.exponent;
    }

    // a / b as a double. A positive quotient is never rounded to zero.
    friend double ratio(Wide a, Wide b) {
        if (!a.positive()) return 0.0;
        const auto exponent = a.exponent - b.exponent;
        const double quotient = a.mantissa / b.mantissa;
        if (exponent == 0) return quotient;
        if (exponent < -2) return least_positive;
        if (exponent > 2) return INFINITY;
        const double value = std::ldexp(quotient, static_cast<int>(512 * exponent));
        return value > 0.0 ? value : least_positive;
    }

  private:
    static constexpr double least_positive = 0x1p-1022;

    Wide normal() const {
        if (mantissa >= top) return {mantissa / radix, exponent + 1};
        if (mantissa < 1.0 / top)
            return mantissa > 0.0 ? Wide{mantissa * radix, exponent - 1} : Wide{};
        return *this;
    }
};

// The same for numbers in doubles.
inline double ratio(double a, double b) {
    return a / b;
}
inline Wide to_wide(double number) {
    return Wide::of(number);
}
inline Wide to_wide(Wide number) {
    return number;
}

}  // namespace mineproof
