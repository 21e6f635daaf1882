// Counted components, kept for later questions.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "counting/layouts.hpp"

namespace mineproof {

// Counted components by their structure, wherever they are on the board. Using the cache does not
// change any answer, because equal components are counted in the same way. Threads may share a
// cache.
class LayoutCache {
  public:
    explicit LayoutCache(std::size_t most_bytes = std::size_t{64} << 20)
        : most_bytes_(most_bytes) {}

    // Returns nothing if there is no such component.
    std::shared_ptr<const Layouts> find(const std::string& key) const;
    void keep(std::string key, std::shared_ptr<const Layouts> layouts);

    static std::string key(const Component& component);

  private:
    mutable std::mutex guard_;
    std::unordered_map<std::string, std::shared_ptr<const Layouts>> known_;
    std::size_t bytes_ = 0;
    std::size_t most_bytes_;
};

}  // namespace mineproof
