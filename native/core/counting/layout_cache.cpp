#include "counting/layout_cache.hpp"

#include <cstring>

namespace mineproof {

std::shared_ptr<const Layouts> LayoutCache::find(const std::string& key) const {
    const std::lock_guard lock(guard_);
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : found->second;
}

void LayoutCache::keep(std::string key, std::shared_ptr<const Layouts> layouts) {
    const std::lock_guard lock(guard_);
    bytes_ += layouts->bytes() + key.size();
    if (bytes_ > most_bytes_) {  // rare, so starting over is good enough
        known_.clear();
        bytes_ = layouts->bytes() + key.size();
    }
    known_.emplace(std::move(key), std::move(layouts));
}

std::string LayoutCache::key(const Component& component) {
    // The clues list the boxes, so only the sizes of the boxes need to be added.
    constexpr std::size_t most_per_clue = 4 + sizeof(Clue::box) + sizeof(Clue::weight);
    const auto boxes = static_cast<std::uint32_t>(component.boxes.size());
    std::string key(sizeof boxes + boxes + component.clues.size() * most_per_clue, '\0');
    auto* end = key.data();
    const auto put = [&](const auto* values, std::size_t count) {
        std::memcpy(end, values, count * sizeof *values);
        end += count * sizeof *values;
    };
    put(&boxes, 1);
    for (const auto& box : component.boxes)
        put(&box.size, 1);
    for (const auto& clue : component.clues) {
        put(&clue.fewest, 1);
        put(&clue.most, 1);
        put(&clue.boxes, 1);
        put(&clue.query, 1);
        put(clue.box.data(), clue.boxes);
        if (clue.fewest != clue.most) put(clue.weight.data(), clue.weight.size());
    }
    key.resize(static_cast<std::size_t>(end - key.data()));
    return key;
}

}  // namespace mineproof
