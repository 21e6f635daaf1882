#include <algorithm>
#include <numeric>
#include <vector>

#include "board/random.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

void same_seed_same_numbers() {
    Random a(7), b(7), c(8);
    CHECK(a.next() == b.next());
    CHECK(a.next() != c.next());
}

void bounded_numbers_are_in_range() {
    Random random(1);
    for (int i = 0; i < 1000; ++i)
        CHECK(random.below(7) < 7);
    CHECK(random.below(1) == 0);
    const double u = random.uniform();
    CHECK(0 <= u && u < 1);
}

void permutations_hold_every_cell() {
    auto order = permutation(3, 100);
    std::ranges::sort(order);
    std::vector<std::int32_t> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(order == expected);
    CHECK(permutation(3, 0).empty());
}

void noise_is_a_function() {
    CHECK(noise(5, 17) == noise(5, 17));
    CHECK(noise(5, 17) != noise(5, 18));
    CHECK(noise(5, 17) != noise(6, 17));
}

}  // namespace

SUITE("board/random") {
    same_seed_same_numbers();
    bounded_numbers_are_in_range();
    permutations_hold_every_cell();
    noise_is_a_function();
}
