// Splits evidence into small independent problems: boxes of equivalent cells, connected by clues.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/evidence.hpp"

namespace mineproof {

// Frontier cells that touch the same clues. Only the number of mines among them matters.
struct Box {
    std::int32_t first = 0;  // where its cells start in the frontier's list
    std::uint8_t size = 0;
    std::uint8_t clues = 0;
    std::array<std::int32_t, max_degree> clue{};

    std::span<const std::int32_t> clue_list() const { return {clue.data(), clues}; }
};

// What a clue says about its boxes: a weight for every number of mines in them.
struct Clue {
    std::int32_t cell = 0;
    std::int8_t fewest = 0;  // the fewest and the most mines of non-zero weight
    std::int8_t most = 0;
    std::uint8_t capacity = 0;  // cells in its boxes
    std::uint8_t boxes = 0;
    bool query = false;  // a query has no clue, so it is never closed
    std::array<std::int32_t, max_degree> box{};
    std::array<double, max_degree + 1> weight{};

    std::span<const std::int32_t> box_list() const { return {box.data(), boxes}; }
};

// Boxes and clues that share no clue with the rest. Indices count from the component's first box
// and clue.
struct Component {
    std::span<const Box> boxes;
    std::span<const Clue> clues;

    int cells() const;
};

// What is known about a cell. The numbers are chosen so that one sum over a cell's neighbours tells
// how many are unknown and how many are mined.
enum class Knowledge : std::uint8_t { safe = 0, unknown = 1, mined = 16, boxed = 128 };

// What is known without any clue. Computed once when many sets of clues are tried.
struct KnownCells {
    explicit KnownCells(const Evidence& evidence, std::int32_t query = no_query);

    std::vector<Knowledge> knowledge;
    std::vector<std::uint8_t> around;  // sums of the values of a cell's neighbours
    std::int64_t mined = 0;
    std::int64_t unknown = 0;
};

// The frontier of an observation. Whatever a single clue settles is already settled.
class Frontier {
  public:
    explicit Frontier(const Evidence& evidence, std::int32_t query = no_query);
    // With these clues only, in ascending order.
    Frontier(const Evidence& evidence, const KnownCells& known_cells,
             std::span<const std::int32_t> clues);

    // Cells of clues that no layout satisfies, if any were found while settling cells.
    const std::vector<std::int32_t>& clash() const { return clash_; }

    std::size_t components() const { return ranges_.size(); }
    Component component(std::size_t index) const;
    std::span<const std::int32_t> cells_of(const Box& box) const {
        return {box_cells_.data() + box.first, box.size};
    }

    // Closed cells that single clues settle.
    const std::vector<std::int32_t>& safe() const { return safe_; }
    const std::vector<std::int32_t>& mined() const { return mined_; }

    // The number of closed cells that touch no clue.
    std::int64_t interior() const { return interior_; }
    bool in_interior(std::int32_t cell) const {
        return knowledge_[static_cast<std::size_t>(cell)] == Knowledge::unknown;
    }

    // Exploded mines, trusted flags and settled mines.
    std::int64_t known_mines() const { return known_mines_; }

    // Known mines around the query. The component of the query counts the others.
    int query_known_mines() const { return query_known_; }

  private:
    struct Reading;
    class Builder;
    struct ComponentRange {
        std::int32_t box_begin, box_end, clue_begin, clue_end;
    };

    std::vector<Knowledge> knowledge_;
    std::vector<std::int32_t> clash_, safe_, mined_, box_cells_;
    std::vector<Box> boxes_;
    std::vector<Clue> clues_;
    std::vector<ComponentRange> ranges_;
    std::int64_t interior_ = 0;
    std::int64_t known_mines_ = 0;
    int query_known_ = 0;
};

}  // namespace mineproof
