// Numbers as Python rounds and writes them.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace mineproof {

// round(x, 9): the nearest number with nine decimals, an even one if two are as near.
inline double round9(double x) {
    const double scaled = x * 1e9;
    const double whole = std::nearbyint(scaled);
    // The error of the product matters only near a tie.
    const double from_tie = std::abs(std::abs(scaled - whole) - 0.5);
    if (std::abs(scaled) < 0x1p42 && from_tie > 1e-3) return whole / 1e9;
    std::array<char, 400> text;
    const auto end = std::to_chars(text.begin(), text.end(), x, std::chars_format::fixed, 9).ptr;
    double result = x;
    std::from_chars(text.begin(), end, result);
    return result;
}

// Positive if the first number is larger, once both are rounded. Rounding takes long, and matters
// only if they are close.
inline double compare9(double one, double other) {
    const double difference = one - other;
    if (difference == 0.0 || std::abs(difference) > 2e-9) return difference;
    return round9(one) - round9(other);
}

// f"{x:.3g}"
inline std::string three_digits(double x) {
    std::array<char, 16> text;
    const auto end = std::to_chars(text.begin(), text.end(), x, std::chars_format::general, 3).ptr;
    return {text.begin(), end};
}

}  // namespace mineproof
