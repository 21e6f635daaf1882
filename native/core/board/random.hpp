// A portable seeded generator: the same numbers on every platform, compiler and Python version.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mineproof {

// xoshiro256** by Blackman and Vigna, its state filled by splitmix64 from the seed.
class Random {
  public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next();

    // Uniform on 0 .. bound - 1, without bias. The bound must be positive.
    std::uint64_t below(std::uint64_t bound);

    // Uniform on the multiples of 2^-53 in [0, 1).
    double uniform();

  private:
    std::array<std::uint64_t, 4> state_;
};

// Sets the randomness of a player apart from that of a board with the same seed.
inline constexpr std::uint64_t agent_stream = 0x9d39247e33776d41;

// The numbers 0 .. count - 1 in an order given by the seed, every order equally likely.
std::vector<std::int32_t> permutation(std::uint64_t seed, std::int32_t count);

// Uniform in [0, 1), a pure function of seed and cell: asking again gives the same number.
double noise(std::uint64_t seed, std::int32_t cell);

}  // namespace mineproof
