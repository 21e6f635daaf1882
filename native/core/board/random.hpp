// A portable seeded generator: the same numbers on every platform, compiler and Python version.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mineproof {

// xoshiro256** by Blackman and Vigna, its state filled by splitmix64 from the seed.
class Random {
  public:
    using State = std::array<std::uint64_t, 4>;

    explicit Random(std::uint64_t seed);
    // Continues from a state.
    explicit Random(const State& state) : state_(state) {}

    const State& state() const { return state_; }

    std::uint64_t next();

    // Uniform on 0 .. bound - 1, without bias. The bound must be positive.
    std::uint64_t below(std::uint64_t bound);

    // Uniform on the multiples of 2^-53 in [0, 1).
    double uniform();

  private:
    State state_;
};

// The numbers 0 .. count - 1 in an order drawn by the seed. Every order is equally likely.
std::vector<std::int32_t> permutation(std::uint64_t seed, std::int32_t count);

// Uniform in [0, 1). A pure function of seed and cell, so asking again gives the same number.
double noise(std::uint64_t seed, std::int32_t cell);

// The same for each of several times.
double noise(std::uint64_t seed, std::int32_t cell, std::int32_t time);

}  // namespace mineproof
