#include "counting/layout_cache.hpp"

#include <bit>
#include <cassert>
#include <utility>

namespace mineproof {

namespace {

// Calls `take` with words that determine the structure, the same for equal components only.
template <class Take>
void describe(const Component& component, Take take) {
    // The clues list the boxes, so only the sizes of the boxes need to be added.
    std::uint64_t word = component.boxes.size();
    int filled = 4;
    const auto put = [&](std::uint64_t byte) {
        word |= byte << (8 * filled);
        if (++filled < 8) return;
        take(word);
        word = 0;
        filled = 0;
    };
    for (const auto& box : component.boxes)
        put(box.size);
    for (const auto& clue : component.clues) {
        take(static_cast<std::uint64_t>(clue.fewest) | static_cast<std::uint64_t>(clue.most) << 8 |
             std::uint64_t{clue.boxes} << 16);
        for (std::size_t i = 0; i < clue.boxes; i += 2)
            take(static_cast<std::uint64_t>(clue.box[i]) << 32 |
                 static_cast<std::uint64_t>(i + 1 < clue.boxes ? clue.box[i + 1] : 0));
        if (clue.fewest == clue.most) continue;
        for (const auto weight : clue.weight)
            take(std::bit_cast<std::uint64_t>(weight));
    }
    take(word);
}

// What an entry needs besides its layouts.
constexpr std::size_t overhead = 128;

}  // namespace

bool operator==(const LayoutCache::Key& a, const LayoutCache::Key& b) {
    const bool equal = a.high == b.high && a.low == b.low;
#ifndef NDEBUG
    assert(equal == (a.structure == b.structure));
#endif
    return equal;
}

LayoutCache::Key LayoutCache::key(const Component& component) {
    // Two independent multiplicative hashes, each finished as in splitmix64.
    Key key{.high = 0x9E3779B97F4A7C15u, .low = 0x632BE59BD9B4E019u};
    describe(component, [&](std::uint64_t word) {
        key.high = std::rotl((key.high ^ word) * 0xBF58476D1CE4E5B9u, 29);
        key.low = (std::rotl(key.low, 23) + word) * 0x94D049BB133111EBu;
        key.low ^= key.low >> 32;
#ifndef NDEBUG
        key.structure.append(reinterpret_cast<const char*>(&word), sizeof word);
#endif
    });
    const auto finish = [](std::uint64_t value) {
        value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
        value = (value ^ value >> 27) * 0x94D049BB133111EBu;
        return value ^ value >> 31;
    };
    key.high = finish(key.high);
    key.low = finish(key.low);
    return key;
}

std::shared_ptr<const Layouts> LayoutCache::find(const Key& key) {
    if (const auto found = young_.entries.find(key); found != young_.entries.end())
        return found->second;
    const auto found = old_.entries.find(key);
    if (found == old_.entries.end()) return nullptr;
    auto layouts = std::move(found->second);
    old_.entries.erase(found);
    old_.bytes -= layouts->bytes() + overhead;
    keep(key, layouts);
    return layouts;
}

void LayoutCache::keep(const Key& key, std::shared_ptr<const Layouts> layouts) {
    const auto bytes = layouts->bytes() + overhead;
    if (young_.bytes + bytes > most_bytes_ / 2) old_ = std::exchange(young_, {});
    if (young_.entries.emplace(key, std::move(layouts)).second) young_.bytes += bytes;
}

}  // namespace mineproof
