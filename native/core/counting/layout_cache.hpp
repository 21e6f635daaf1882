// Counted components, kept for later questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "counting/layouts.hpp"

namespace mineproof {

// Counted components by their structure, wherever they are on the board. Using the cache does not
// change any answer, because equal components are counted in the same way. Threads must not share a
// cache.
class LayoutCache {
  public:
    explicit LayoutCache(std::size_t most_bytes = std::size_t{64} << 20)
        : most_bytes_(most_bytes) {}

    // A hash of the structure. Among a billion structures, two have the same hash with a chance of
    // about 1e-21. Builds with assertions keep the structure to check that none have.
    struct Key {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
#ifndef NDEBUG
        std::string structure{};
#endif
        friend bool operator==(const Key& a, const Key& b);
    };
    static Key key(const Component& component);

    // Returns nothing if there is no such component.
    std::shared_ptr<const Layouts> find(const Key& key);
    void keep(const Key& key, std::shared_ptr<const Layouts> layouts);

    std::size_t bytes() const { return young_.bytes + old_.bytes; }

  private:
    struct Hash {
        std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.low); }
    };
    // Components found again move from the old generation to the young one. When the young one is
    // full, it becomes the old one, and what nobody asked for since the last time is forgotten.
    struct Generation {
        std::unordered_map<Key, std::shared_ptr<const Layouts>, Hash> entries;
        std::size_t bytes = 0;
    };

    Generation young_, old_;
    std::size_t most_bytes_;
};

}  // namespace mineproof
