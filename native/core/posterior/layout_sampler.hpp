// Draws whole layouts at random from counted components and what is outside them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/random.hpp"
#include "counting/frontier.hpp"
#include "counting/layouts.hpp"
#include "posterior/combination.hpp"
#include "posterior/outside.hpp"

namespace mineproof {

class LayoutSampler {
  public:
    // All arguments must outlive the sampler.
    LayoutSampler(const Frontier& frontier, Parts parts, const Outside& outside,
                  const Combination& combination, std::size_t cells);

    // Draws the closed cells that are not settled. `layout` has one byte per cell.
    void draw(Random& random, std::span<std::uint8_t> layout);

  private:
    void lay(std::span<std::int32_t> among, std::size_t mines, Random& random,
             std::span<std::uint8_t> layout) const;

    const Frontier& frontier_;
    const Outside& outside_;
    const Combination& combination_;
    std::vector<ComponentSampler> samplers_;
    std::vector<std::int32_t> interior_;
    std::vector<std::int64_t> part_mines_;
    std::vector<std::uint8_t> box_mines_;
    std::vector<std::int32_t> members_;
};

}  // namespace mineproof
