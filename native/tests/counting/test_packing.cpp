// Partial sums packed into keys, in one word and in two.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "board/random.hpp"
#include "counting/packing.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

template <std::size_t N>
void fields_keep_to_themselves() {
    using Key = PackedSums<N>;
    Random random(1);
    for (int width = 2; width <= 5; ++width) {
        const Packing packing{width};
        const int slots = static_cast<int>(N) * packing.per_word();
        const auto limit = packing.spare();
        for (int round = 0; round < 50; ++round) {
            Key a{}, b{}, spare{};
            std::vector<std::uint64_t> left, right;
            for (int slot = 0; slot < slots; ++slot) {
                left.push_back(random.below(limit));
                right.push_back(random.below(limit - left.back()));
                packing.put(a, slot, left.back());
                packing.put(b, slot, right.back());
                packing.put(spare, slot, packing.spare());
            }
            const Key sum = a + b;
            const Key compared = ((a | spare) - b) & spare;
            for (int slot = 0; slot < slots; ++slot) {
                const auto i = static_cast<std::size_t>(slot);
                CHECK(packing.get(a, slot) == static_cast<int>(left[i]));
                CHECK(packing.get(sum, slot) == static_cast<int>(left[i] + right[i]));
                CHECK((packing.get(compared, slot) != 0) == (left[i] >= right[i]));
            }
            CHECK(sum - b == a);
            CHECK(a.without(a) == Key{});
            CHECK((a + b).without(spare) == a + b);
        }
    }
}

void keys_have_an_order() {
    const PackedSums<2> a{{5, 0}}, b{{0, 5}};
    CHECK((a < b) != (b < a) && !(a < a) && a == a && a != b);
    CHECK(scatter(a) != scatter(b));
}

template <class Key, class Make>
void an_index_numbers_by_first_appearance(Make make) {
    KeyIndex<Key> index;
    Random random(2);
    for (const std::uint64_t kinds : {10, 3000, 5}) {
        index.clear();
        std::map<std::uint64_t, std::int32_t> numbers;
        for (int i = 0; i < 5000; ++i) {
            const auto value = random.below(kinds);
            const auto fresh = static_cast<std::int32_t>(numbers.size());
            const auto expected = numbers.emplace(value, fresh).first->second;
            CHECK(index.find_or_add(make(value), fresh) == expected);
        }
    }
}

}  // namespace

SUITE("counting/packing") {
    fields_keep_to_themselves<1>();
    fields_keep_to_themselves<2>();
    fields_keep_to_themselves<4>();
    keys_have_an_order();
    an_index_numbers_by_first_appearance<PackedSums<1>>(
        [](std::uint64_t v) { return PackedSums<1>{{v << 40}}; });
    an_index_numbers_by_first_appearance<PackedSums<2>>(
        [](std::uint64_t v) { return PackedSums<2>{{v % 3, v << 20}}; });
}
