// Layouts drawn from a posterior.
#include <algorithm>

#include "board_sampler.hpp"
#include "index.hpp"
#include "posterior.hpp"

namespace mineproof {

std::vector<std::uint8_t> Posterior::sample(std::size_t count, std::uint64_t seed) const {
    require_exact("a sample of layouts");
    const auto cells = question_.cells.size();
    std::vector<std::uint8_t> layout(cells, 0);
    for (std::size_t i = 0; i < cells; ++i)
        layout[i] = question_.cells[i] == cell::exploded || certain_[i] == Certainty::mined;
    const Reckoning reckoning(layouts_, outside_);
    BoardSampler sampler(frontier_, layouts_, outside_, reckoning, cells);
    Random random(seed);
    std::vector<std::uint8_t> result;
    result.reserve(count * cells);
    for (std::size_t n = 0; n < count; ++n) {
        sampler.draw(random, layout);
        result.insert(result.end(), layout.begin(), layout.end());
    }
    return result;
}

}  // namespace mineproof
