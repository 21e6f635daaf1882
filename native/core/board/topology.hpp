// The cells of a board and their neighbours. Cells are numbered row by row.
#pragma once

#include <cassert>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace mineproof {

// Which cells touch. On a `square` board they touch by edge or corner. On a `torus` the opposite
// edges of the board touch, too. The cells of `hex` are hexagons that touch by edge; odd rows are
// shifted to the right by half a cell.
enum class TopologyKind : std::uint8_t { square, torus, hex };

// Neighbours are stored as differences of cell numbers. Cells with the same surroundings share one
// list, so a large board needs little memory and the lists stay in the processor's cache.
class Topology {
  public:
    // The fewest rows and columns of a torus; on a smaller one, a cell would touch another twice.
    static constexpr int least_torus = 3;

    // Throws std::invalid_argument unless both sides are positive and cell numbers fit 28 bits, and
    // if a torus is too small.
    static Topology of(TopologyKind kind, int rows, int cols);
    static Topology rectangle(int rows, int cols) { return of(TopologyKind::square, rows, cols); }

    TopologyKind kind() const { return kind_; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int cells() const { return rows_ * cols_; }

    // In ascending order.
    auto neighbours(int cell) const {
        return differences(cell) |
               std::views::transform([cell](std::int32_t difference) { return cell + difference; });
    }

    // For every cell the sum of the values of its neighbours. Sums must fit a byte.
    void add_up_neighbours(std::span<const std::uint8_t> values,
                           std::span<std::uint8_t> sums) const;

    // "(2, 0)", as error messages name a cell.
    std::string name(int cell) const;

    int degree(int cell) const { return static_cast<int>(differences(cell).size()); }

    // The fewest steps from neighbour to neighbour that lead from one cell to the other.
    int distance(int one, int other) const;

  private:
    Topology(TopologyKind kind, int rows, int cols) : kind_(kind), rows_(rows), cols_(cols) {}

    // Lists the neighbours of a cell in ascending order, as differences.
    std::vector<std::int32_t> differences_at(int row, int col) const;

    std::span<const std::int32_t> differences(int cell) const {
        assert(0 <= cell && cell < cells());
        const auto& shape = shapes_[shape_of_[static_cast<std::size_t>(cell)]];
        return {differences_.data() + shape.begin, shape.end - shape.begin};
    }

    struct Shape {
        std::uint32_t begin, end;
    };

    TopologyKind kind_;
    int rows_;
    int cols_;
    std::vector<std::int32_t> differences_;
    std::vector<Shape> shapes_;
    std::vector<std::uint8_t> shape_of_;
};

}  // namespace mineproof
