// Counted components, kept for the next question.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "counting/layouts.hpp"

namespace mineproof {

// Counted components by what they look like, wherever they lie. Reuse changes no answer: equal
// components are counted by equal steps. Threads may share one.
class LayoutCache {
  public:
    explicit LayoutCache(std::size_t most_bytes = std::size_t{64} << 20)
        : most_bytes_(most_bytes) {}

    // Nothing if there is none.
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
