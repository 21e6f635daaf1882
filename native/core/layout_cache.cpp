#include "layout_cache.hpp"

namespace mineproof {

std::shared_ptr<const Layouts> LayoutCache::find(const std::string& key) const {
    const std::lock_guard lock(guard_);
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : found->second;
}

void LayoutCache::keep(std::string key, std::shared_ptr<const Layouts> layouts) {
    const std::lock_guard lock(guard_);
    bytes_ += layouts->bytes() + key.size();
    if (bytes_ > most_bytes_) {  // rare: starting over is simpler than choosing
        known_.clear();
        bytes_ = layouts->bytes() + key.size();
    }
    known_.emplace(std::move(key), std::move(layouts));
}

std::string LayoutCache::key(const Component& component) {
    std::string key;
    const auto put = [&](const auto& value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const auto& box : component.boxes)
        put(box.size);
    for (const auto& clue : component.clues) {
        put(clue.fewest);
        put(clue.most);
        put(clue.boxes);
        for (const auto box : clue.box_list())
            put(box);
        if (clue.fewest == clue.most) continue;
        for (int mines = clue.fewest; mines <= clue.most; ++mines)
            put(clue.weight[static_cast<std::size_t>(mines)]);
    }
    return key;
}

}  // namespace mineproof
