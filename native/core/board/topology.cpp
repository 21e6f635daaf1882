#include "board/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "board/checkpoint.hpp"

namespace mineproof {

namespace {

// A cell's place along a side: first, in between or last. A side of one cell has a place of its
// own.
int place(int index, int length) {
    if (length == 1) return 3;
    return index == 0 ? 0 : index == length - 1 ? 2 : 1;
}

constexpr int places = 4;

// The column of a hexagon if columns run at 60 degrees to the rows, not in zigzag.
int slanted_column(int row, int col) {
    return col - row / 2;
}

}  // namespace

std::vector<std::int32_t> Topology::differences_at(int row, int col) const {
    std::vector<std::int32_t> result;
    for (int down = -1; down <= 1; ++down)
        for (int right = -1; right <= 1; ++right) {
            if (down == 0 && right == 0) continue;
            // Two of the eight cells around a hexagon do not touch it.
            if (kind_ == TopologyKind::hex && down != 0 && right == (row % 2 == 1 ? -1 : 1))
                continue;
            int to_row = row + down;
            int to_col = col + right;
            if (kind_ == TopologyKind::torus) {
                to_row = (to_row + rows_) % rows_;
                to_col = (to_col + cols_) % cols_;
            } else if (to_row < 0 || to_row >= rows_ || to_col < 0 || to_col >= cols_) {
                continue;
            }
            result.push_back((to_row - row) * cols_ + to_col - col);
        }
    std::ranges::sort(result);
    return result;
}

// Sums over three rows come first: the compiler turns these loops into vector instructions.
void Topology::add_up_neighbours(std::span<const std::uint8_t> values,
                                 std::span<std::uint8_t> sums) const {
    if (kind_ == TopologyKind::hex) {
        for (int cell = 0; cell < cells(); ++cell) {
            int sum = 0;
            for (const auto near : neighbours(cell))
                sum += values[static_cast<std::size_t>(near)];
            sums[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(sum);
        }
        return;
    }
    const bool wraps = kind_ == TopologyKind::torus;
    const auto cols = static_cast<std::size_t>(cols_);
    const auto rows = static_cast<std::size_t>(rows_);
    const std::vector<std::uint8_t> outside(cols, 0);
    const auto* const before_first = wraps ? values.data() + (rows - 1) * cols : outside.data();
    const auto* const after_last = wraps ? values.data() : outside.data();
    std::vector<std::uint8_t> threes(cols + 2, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto* here = values.data() + row * cols;
        const auto* above = row > 0 ? here - cols : before_first;
        const auto* below = row + 1 < rows ? here + cols : after_last;
        auto* three = threes.data() + 1;
        for (std::size_t col = 0; col < cols; ++col)
            three[col] = static_cast<std::uint8_t>(above[col] + here[col] + below[col]);
        if (wraps) {
            threes.front() = three[cols - 1];
            threes.back() = three[0];
        }
        auto* sum = sums.data() + row * cols;
        for (std::size_t col = 0; col < cols; ++col)
            sum[col] = static_cast<std::uint8_t>(threes[col] + threes[col + 1] + threes[col + 2] -
                                                 here[col]);
    }
}

std::string Topology::name(int cell) const {
    return "(" + std::to_string(cell / cols_) + ", " + std::to_string(cell % cols_) + ")";
}

int Topology::distance(int one, int other) const {
    const int row = one / cols_, other_row = other / cols_;
    const int col = one % cols_, other_col = other % cols_;
    int down = std::abs(row - other_row);
    int across = std::abs(col - other_col);
    switch (kind_) {
        case TopologyKind::torus:
            down = std::min(down, rows_ - down);
            across = std::min(across, cols_ - across);
            break;
        case TopologyKind::hex: {
            const int slanted = slanted_column(row, col) - slanted_column(other_row, other_col);
            return std::max({down, std::abs(slanted), std::abs(slanted + row - other_row)});
        }
        case TopologyKind::square:
            break;
    }
    return std::max(down, across);
}

Topology Topology::of(TopologyKind kind, int rows, int cols) {
    if (rows < 1 || cols < 1) throw std::invalid_argument("a board needs at least one cell");
    if (std::int64_t{rows} * cols > std::numeric_limits<std::int32_t>::max() / 8)
        throw std::invalid_argument("the board is too large");
    if (kind == TopologyKind::torus && std::min(rows, cols) < least_torus)
        throw std::invalid_argument("a torus needs at least 3 rows and 3 columns");
    Topology topology(kind, rows, cols);
    // Rows of hexagons are shifted in turn, so their cells have other surroundings.
    const int shifts = kind == TopologyKind::hex ? 2 : 1;
    topology.shapes_.resize(static_cast<std::size_t>(shifts * places * places));
    std::vector<bool> listed(topology.shapes_.size());
    topology.shape_of_.reserve(static_cast<std::size_t>(topology.cells()));
    Work work;
    for (int row = 0; row < rows; ++row) {
        const int row_place = row % shifts * places + place(row, rows);
        for (int col = 0; col < cols; ++col, work.add(1)) {
            const auto shape = static_cast<std::size_t>(row_place * places + place(col, cols));
            topology.shape_of_.push_back(static_cast<std::uint8_t>(shape));
            if (listed[shape]) continue;
            listed[shape] = true;
            auto& all = topology.differences_;
            const auto begin = static_cast<std::uint32_t>(all.size());
            const auto more = topology.differences_at(row, col);
            all.insert(all.end(), more.begin(), more.end());
            topology.shapes_[shape] = {begin, static_cast<std::uint32_t>(all.size())};
        }
    }
    return topology;
}

}  // namespace mineproof
