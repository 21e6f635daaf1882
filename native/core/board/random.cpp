#include "board/random.hpp"

#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

#include "board/checkpoint.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

// Makes the noise of a seed differ from its permutation.
constexpr std::uint64_t noise_stream = 0xd1b54a32d192ed03;

constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

constexpr double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace

Random::Random(std::uint64_t seed) {
    for (auto& word : state_)
        word = mix(seed += golden);
}

std::uint64_t Random::next() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = std::rotl(s[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    assert(bound > 0);
    std::uint64_t value = next();
    // The first 2^64 mod bound values are rejected, so that each remainder is equally likely. All
    // of them are below the bound, which saves most draws a slow division.
    if (value < bound) {
        const std::uint64_t rejected = (0 - bound) % bound;
        while (value < rejected)
            value = next();
    }
    return value % bound;
}

double Random::uniform() {
    return unit(next());
}

std::vector<std::int32_t> permutation(std::uint64_t seed, std::int32_t count) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    Work work;
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
        work.add(1);
    }
    return order;
}

double noise(std::uint64_t seed, std::int32_t cell) {
    const auto place = static_cast<std::uint64_t>(cell) + 1;
    return unit(mix(mix(seed ^ noise_stream) + golden * place));
}

double noise(std::uint64_t seed, std::int32_t cell, std::int32_t time) {
    return noise(mix(seed + golden * (static_cast<std::uint64_t>(time) + 1)), cell);
}

}  // namespace mineproof
