// Boxes of equivalent cells, connected by clues to components that can be counted one by one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "board/cell.hpp"
#include "board/topology.hpp"

namespace mineproof {

// Frontier cells that touch the same clues. Only the number of mines among them matters.
struct Box {
    std::int32_t first = 0;  // where its cells start in the list of cells
    std::uint8_t size = 0;
    std::uint8_t clues = 0;
    std::array<std::int32_t, max_degree> clue{};  // ascending

    std::span<const std::int32_t> clue_list() const { return {clue.data(), clues}; }
};

// What a clue says about its boxes: a weight for every number of mines in them.
struct Clue {
    std::int32_t cell = 0;
    std::int8_t fewest = 0;  // the fewest and the most mines of non-zero weight
    std::int8_t most = 0;
    std::uint8_t capacity = 0;  // cells in its boxes
    std::uint8_t boxes = 0;
    std::array<std::int32_t, max_degree> box{};
    std::array<double, max_degree + 1> weight{};

    std::span<const std::int32_t> box_list() const { return {box.data(), boxes}; }
};

// Boxes and clues that share no clue with the rest. Indices count from the component's first box
// and clue.
struct Component {
    std::span<const Box> boxes;
    std::span<const Clue> clues;
    std::span<const std::int32_t> members{};  // the cells of the boxes, maybe among others

    std::span<const std::int32_t> cells_of(const Box& box) const {
        return members.subspan(static_cast<std::size_t>(box.first), box.size);
    }
    // The number of cells in the boxes.
    int cells() const;
};

// Where a boxed cell is.
struct BoxPlace {
    std::int32_t component = -1;
    std::int32_t box = -1;
};

// Components that share their lists.
struct Components {
    struct Range {
        std::int32_t box_begin, box_end, clue_begin, clue_end;
    };

    std::vector<Range> ranges;  // in the order of their first clues
    std::vector<Box> boxes;
    std::vector<Clue> clues;
    std::vector<std::int32_t> cells;

    std::size_t size() const { return ranges.size(); }
    Component operator[](std::size_t index) const;
};

// What is known about a cell. The numbers are chosen so that one sum over a cell's neighbours tells
// how many are unknown and how many are mined.
enum class Knowledge : std::uint8_t { safe = 0, unknown = 1, mined = 16, boxed = 128 };

// Forms components from clues. It can be used again and again, and keeps its memory.
class ComponentBuilder {
  public:
    // The topology must outlive the builder.
    explicit ComponentBuilder(const Topology& topology);

    // The clues of the next components, in ascending order of their cells. All clues around their
    // unknown cells must be among them.
    std::vector<Clue>& clues() { return clues_; }

    // Puts the unknown cells around the clues into boxes, and marks them as boxed. Empties
    // `clues()`. Returns the cells of two clues that clash, if there are any.
    using Clash = std::optional<std::array<std::int32_t, 2>>;
    Clash build(std::vector<Knowledge>& knowledge, Components& out);

  private:
    struct Member {
        std::int32_t box, cell;
    };

    void form_boxes(std::vector<Knowledge>& knowledge);
    void put_into_box(std::int32_t cell, std::size_t first_box);
    Clash merge_equal_clues();
    std::int32_t root(std::int32_t clue);
    void split(Components& out);
    void number_clues(Components& out);
    void number_boxes(Components& out);
    void place_cells(Components& out);

    const Topology& topology_;
    std::vector<std::int32_t> clue_at_;  // by cell, or -1
    std::vector<Clue> clues_;
    std::vector<Box> boxes_;
    std::vector<Member> members_;
    std::vector<std::int32_t> parent_, component_of_, new_clue_, new_box_, sizes_, local_, filled_;
};

}  // namespace mineproof
