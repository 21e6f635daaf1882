#include "board/topology.hpp"

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
constexpr bool has_before(int place) {
    return place == 1 || place == 2;
}
constexpr bool has_after(int place) {
    return place == 0 || place == 1;
}

std::vector<std::int32_t> differences_at(int row_place, int col_place, int cols) {
    std::vector<std::int32_t> result;
    for (int row = -has_before(row_place); row <= has_after(row_place); ++row)
        for (int col = -has_before(col_place); col <= has_after(col_place); ++col)
            if (row != 0 || col != 0) result.push_back(row * cols + col);
    return result;
}

}  // namespace

// Sums over three rows come first: the compiler turns these loops into vector instructions.
void Topology::add_up_neighbours(std::span<const std::uint8_t> values,
                                 std::span<std::uint8_t> sums) const {
    const auto cols = static_cast<std::size_t>(cols_);
    const std::vector<std::uint8_t> outside(cols, 0);
    std::vector<std::uint8_t> threes(cols + 2, 0);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
        const auto* here = values.data() + row * cols;
        const auto* above = row > 0 ? here - cols : outside.data();
        const auto* below =
            row + 1 < static_cast<std::size_t>(rows_) ? here + cols : outside.data();
        auto* three = threes.data() + 1;
        for (std::size_t col = 0; col < cols; ++col)
            three[col] = static_cast<std::uint8_t>(above[col] + here[col] + below[col]);
        auto* sum = sums.data() + row * cols;
        for (std::size_t col = 0; col < cols; ++col)
            sum[col] = static_cast<std::uint8_t>(threes[col] + threes[col + 1] + threes[col + 2] -
                                                 here[col]);
    }
}

std::string Topology::name(int cell) const {
    return "(" + std::to_string(cell / cols_) + ", " + std::to_string(cell % cols_) + ")";
}

Topology Topology::rectangle(int rows, int cols) {
    if (rows < 1 || cols < 1) throw std::invalid_argument("a board needs at least one cell");
    if (std::int64_t{rows} * cols > std::numeric_limits<std::int32_t>::max() / 8)
        throw std::invalid_argument("the board is too large");
    Topology topology(rows, cols);
    auto& all = topology.differences_;
    for (int row_place = 0; row_place < places; ++row_place)
        for (int col_place = 0; col_place < places; ++col_place) {
            const auto begin = static_cast<std::uint32_t>(all.size());
            const auto more = differences_at(row_place, col_place, cols);
            all.insert(all.end(), more.begin(), more.end());
            topology.shapes_.push_back({begin, static_cast<std::uint32_t>(all.size())});
        }
    topology.shape_of_.reserve(static_cast<std::size_t>(topology.cells()));
    Work work;
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col, work.add(1))
            topology.shape_of_.push_back(
                static_cast<std::uint8_t>(place(row, rows) * places + place(col, cols)));
    return topology;
}

}  // namespace mineproof
