#include "posterior/layout_sampler.hpp"

#include <algorithm>

#include "board/index.hpp"

namespace mineproof {

namespace {

// Draws an index by weight.
std::size_t pick(std::span<const double> weights, Random& random) {
    double total = 0.0;
    for (const auto weight : weights)
        total += weight;
    double left = random.uniform() * total;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0.0) continue;
        chosen = i;
        left -= weights[i];
        if (left < 0.0) break;
    }
    return chosen;
}

}  // namespace

LayoutSampler::LayoutSampler(const Frontier& frontier, Parts parts, const Outside& outside,
                             const Combination& combination, std::size_t cells)
    : frontier_(frontier), outside_(outside), combination_(combination), part_mines_(parts.size()) {
    for (const auto& layouts : parts)
        samplers_.emplace_back(*layouts);
    for (std::int32_t cell = 0; cell < static_cast<std::int32_t>(cells); ++cell)
        if (frontier.in_interior(cell)) interior_.push_back(cell);
}

void LayoutSampler::draw(Random& random, std::span<std::uint8_t> layout) {
    const auto& chances = combination_.mines();
    const auto mines = chances.fewest + static_cast<std::int64_t>(pick(chances.weight, random));
    combination_.draw(mines, random, part_mines_);
    for (std::size_t part = 0; part < samplers_.size(); ++part) {
        const auto boxes = frontier_.component(part).boxes;
        box_mines_.assign(boxes.size(), 0);
        samplers_[part].draw(part_mines_[part], random, box_mines_);
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            const auto cells = frontier_.cells_of(boxes[b]);
            members_.assign(cells.begin(), cells.end());
            lay(members_, box_mines_[b], random, layout);
        }
    }
    if (interior_.empty()) return;
    const auto inside = outside_.interior_mines(mines);
    lay(interior_, at(inside.fewest) + pick(inside.weight, random), random, layout);
}

// Every choice of cells is equally likely.
void LayoutSampler::lay(std::span<std::int32_t> among, std::size_t mines, Random& random,
                        std::span<std::uint8_t> layout) const {
    for (std::size_t i = 0; i < among.size(); ++i) {
        if (i < mines) std::swap(among[i], among[i + random.below(among.size() - i)]);
        layout[at(among[i])] = i < mines;
    }
}

}  // namespace mineproof
