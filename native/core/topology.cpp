#include "topology.hpp"

#include <algorithm>
#include <stdexcept>

#include "cell.hpp"

namespace mineproof {
namespace {

// Keeps eight neighbours of every cell within 32-bit offsets.
constexpr std::int64_t most_cells = std::int64_t{1} << 28;

}  // namespace

Topology Topology::rectangle(int rows, int cols) {
    if (rows < 1 || cols < 1) throw std::invalid_argument("a board needs at least one cell");
    if (std::int64_t{rows} * cols > most_cells)
        throw std::invalid_argument("the board is too large");
    Topology topology(rows, cols);
    const auto cells = static_cast<std::size_t>(topology.cells());
    topology.offsets_.reserve(cells + 1);
    topology.neighbours_.reserve(cells * max_degree);
    topology.offsets_.push_back(0);
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col) {
            for (int r = std::max(row - 1, 0); r <= std::min(row + 1, rows - 1); ++r) {
                for (int c = std::max(col - 1, 0); c <= std::min(col + 1, cols - 1); ++c) {
                    if (r != row || c != col) topology.neighbours_.push_back(r * cols + c);
                }
            }
            topology.offsets_.push_back(static_cast<std::uint32_t>(topology.neighbours_.size()));
        }
    }
    return topology;
}

}  // namespace mineproof
