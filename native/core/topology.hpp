#pragma once
// The cells of a board and their neighbours, as one flat list: cells are numbered row by row.

#include <cstdint>
#include <span>
#include <vector>

namespace mineproof {

class Topology {
  public:
    /// Cells touch by edge or corner. Throws std::invalid_argument unless both sides are positive
    /// and the cells can be numbered.
    static Topology rectangle(int rows, int cols);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int cells() const { return rows_ * cols_; }

    /// In ascending order.
    std::span<const std::int32_t> neighbours(int cell) const {
        const auto begin = offsets_[static_cast<std::size_t>(cell)];
        const auto end = offsets_[static_cast<std::size_t>(cell) + 1];
        return {neighbours_.data() + begin, end - begin};
    }

    int degree(int cell) const { return static_cast<int>(neighbours(cell).size()); }

  private:
    Topology(int rows, int cols) : rows_(rows), cols_(cols) {}

    int rows_;
    int cols_;
    std::vector<std::uint32_t> offsets_;
    std::vector<std::int32_t> neighbours_;
};

}  // namespace mineproof
