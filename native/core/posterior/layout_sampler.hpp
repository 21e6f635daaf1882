// Whole layouts drawn at random from counted components and what lies outside them.
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

class BoardSampler {
  public:
    // All of these must outlive it.
    BoardSampler(const Frontier& frontier, Parts parts, const Outside& outside,
                 const Reckoning& reckoning, std::size_t cells);

    // Lays mines on the closed cells that are not settled; `layout` is a byte per cell.
    void draw(Random& random, std::span<std::uint8_t> layout);

  private:
    void lay(std::span<std::int32_t> among, std::size_t mines, Random& random,
             std::span<std::uint8_t> layout) const;

    const Frontier& frontier_;
    const Outside& outside_;
    const Reckoning& reckoning_;
    std::vector<LayoutSampler> samplers_;
    std::vector<std::int32_t> interior_;
    std::vector<std::int64_t> part_mines_;
    std::vector<std::uint8_t> box_mines_;
    std::vector<std::int32_t> members_;
};

}  // namespace mineproof
