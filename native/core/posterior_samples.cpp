// Layouts drawn from a posterior.
#include <algorithm>

#include "index.hpp"
#include "posterior.hpp"

namespace mineproof {

namespace {

// An index drawn by weight.
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

// Moves `count` of the cells, every choice equally likely, to the front.
void choose_front(std::span<std::int32_t> cells, std::size_t count, Random& random) {
    for (std::size_t i = 0; i < count; ++i)
        std::swap(cells[i], cells[i + random.below(cells.size() - i)]);
}

}  // namespace

std::vector<std::uint8_t> Posterior::sample(std::size_t count, std::uint64_t seed) const {
    require_exact("a sample of layouts");
    Random random(seed);
    const Reckoning reckoning(layouts_, outside_);
    std::vector<LayoutSampler> samplers;
    for (const auto& layouts : layouts_)
        samplers.emplace_back(*layouts);
    std::vector<std::int32_t> interior;
    std::vector<std::uint8_t> known(question_.cells.size(), 0);
    for (std::size_t i = 0; i < known.size(); ++i) {
        const auto code = question_.cells[i];
        known[i] = code == cell::exploded || certain_[i] == Certainty::mined;
        if (frontier_.in_interior(static_cast<std::int32_t>(i)))
            interior.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<std::uint8_t> result;
    result.reserve(count * known.size());
    std::vector<std::int64_t> part_mines(layouts_.size());
    std::vector<std::int32_t> cells;
    std::vector<std::uint8_t> box_mines;
    for (std::size_t n = 0; n < count; ++n) {
        auto layout = known;
        const auto lay = [&](std::span<std::int32_t> among, std::size_t mines) {
            choose_front(among, mines, random);
            for (std::size_t i = 0; i < mines; ++i)
                layout[at(among[i])] = 1;
        };
        const auto mines = frontier_mines_.fewest +
                           static_cast<std::int64_t>(pick(frontier_mines_.weight, random));
        reckoning.draw(mines, random, part_mines);
        for (std::size_t part = 0; part < layouts_.size(); ++part) {
            const auto boxes = frontier_.component(part).boxes;
            box_mines.assign(boxes.size(), 0);
            samplers[part].draw(part_mines[part], random, box_mines);
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                const auto members = frontier_.cells_of(boxes[b]);
                cells.assign(members.begin(), members.end());
                lay(cells, box_mines[b]);
            }
        }
        if (!interior.empty()) {
            const auto chances = outside_.interior_mines(mines);
            lay(interior, at(chances.fewest) + pick(chances.weight, random));
        }
        result.insert(result.end(), layout.begin(), layout.end());
    }
    return result;
}

}  // namespace mineproof
