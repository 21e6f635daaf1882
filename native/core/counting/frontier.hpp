// Splits evidence into small independent problems: boxes of equivalent cells, connected by clues.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "counting/components.hpp"
#include "counting/evidence.hpp"
#include "counting/settler.hpp"

namespace mineproof {

// The frontier of an observation. Whatever a single clue settles is already settled.
class Frontier {
  public:
    explicit Frontier(const Evidence& evidence);
    // With these clues only, in ascending order.
    Frontier(const Evidence& evidence, KnownCells known_cells, std::span<const std::int32_t> clues);

    // From its parts, which were found by other means.
    Frontier(std::vector<Knowledge> knowledge, Components components,
             std::vector<std::int32_t> safe, std::vector<std::int32_t> mined, std::int64_t interior,
             std::int64_t known_mines)
        : knowledge_(std::move(knowledge)),
          safe_(std::move(safe)),
          mined_(std::move(mined)),
          components_(std::move(components)),
          interior_(interior),
          known_mines_(known_mines) {}

    // Cells of clues that no layout satisfies, if any were found while settling cells.
    const std::vector<std::int32_t>& clash() const { return clash_; }

    std::size_t components() const { return components_.size(); }
    Component component(std::size_t index) const { return components_[index]; }
    std::span<const std::int32_t> cells_of(const Box& box) const {
        return {components_.cells.data() + box.first, box.size};
    }

    // Closed cells that single clues settle.
    const std::vector<std::int32_t>& safe() const { return safe_; }
    const std::vector<std::int32_t>& mined() const { return mined_; }

    std::span<const Knowledge> knowledge() const { return knowledge_; }

    // The number of closed cells that touch no clue.
    std::int64_t interior() const { return interior_; }
    bool in_interior(std::int32_t cell) const {
        return knowledge_[static_cast<std::size_t>(cell)] == Knowledge::unknown;
    }

    // Exploded mines, trusted flags and settled mines.
    std::int64_t known_mines() const { return known_mines_; }

  private:
    std::vector<Knowledge> knowledge_;
    std::vector<std::int32_t> clash_, safe_, mined_;
    Components components_;
    std::int64_t interior_ = 0;
    std::int64_t known_mines_ = 0;
};

}  // namespace mineproof
