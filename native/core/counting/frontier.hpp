// From evidence to small independent problems: boxes of like cells, tied together by clues.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/evidence.hpp"

namespace mineproof {

// Frontier cells that border on the same clues: only how many of them are mined matters.
struct Box {
    std::int32_t first = 0;  // where its cells start in the frontier's list
    std::uint8_t size = 0;
    std::uint8_t clues = 0;
    std::array<std::int32_t, max_degree> clue{};

    std::span<const std::int32_t> clue_list() const { return {clue.data(), clues}; }
};

// What a clue says of the boxes around it: a weight for every number of mines among them.
struct Clue {
    std::int32_t cell = 0;
    std::int8_t fewest = 0;  // least and greatest number of mines of non-zero weight
    std::int8_t most = 0;
    std::uint8_t capacity = 0;  // cells in its boxes
    std::uint8_t boxes = 0;
    bool probe = false;  // asks for its count instead of telling it, so it is never closed
    std::array<std::int32_t, max_degree> box{};
    std::array<double, max_degree + 1> weight{};

    std::span<const std::int32_t> box_list() const { return {box.data(), boxes}; }
};

// Boxes and clues that share no clue with the rest. The indices in it are its own.
struct Component {
    std::span<const Box> boxes;
    std::span<const Clue> clues;

    int cells() const;
};

// What is known of a cell before and while clues are used. Numbered so that one sum over a cell's
// neighbours tells how many are unknown and how many are mined.
enum class Fate : std::uint8_t { safe = 0, unknown = 1, mined = 16, boxed = 128 };

// An observation without its clues: worked out once where many sets of clues are tried on it.
struct Surface {
    explicit Surface(const Evidence& evidence, std::int32_t probe = no_probe);

    std::vector<Fate> fate;
    std::vector<std::uint8_t> around;  // sums of the fates of a cell's neighbours
    std::int64_t mined = 0;
    std::int64_t unknown = 0;
};

// The frontier of an observation, after what single clues settle has been settled.
class Frontier {
  public:
    explicit Frontier(const Evidence& evidence, std::int32_t probe = no_probe);
    // Of some clues alone, in ascending order.
    Frontier(const Evidence& evidence, const Surface& surface, std::span<const std::int32_t> clues);

    // Cells of clues that no layout meets, found while settling; empty if none were.
    const std::vector<std::int32_t>& clash() const { return clash_; }

    std::size_t components() const { return parts_.size(); }
    Component component(std::size_t index) const;
    std::span<const std::int32_t> cells_of(const Box& box) const {
        return {box_cells_.data() + box.first, box.size};
    }

    // Closed cells settled by counting at single clues.
    const std::vector<std::int32_t>& safe() const { return safe_; }
    const std::vector<std::int32_t>& mined() const { return mined_; }

    // How many closed cells no clue speaks of.
    std::int64_t interior() const { return interior_; }
    bool in_interior(std::int32_t cell) const {
        return fate_[static_cast<std::size_t>(cell)] == Fate::unknown;
    }

    // Exploded mines, trusted flags and settled mines.
    std::int64_t known_mines() const { return known_mines_; }

    // Known mines around the probe; the rest of its count is in the component that holds it.
    int probe_known_mines() const { return probe_known_; }

  private:
    struct Reading;
    class Builder;
    struct Part {
        std::int32_t box_begin, box_end, clue_begin, clue_end;
    };

    std::vector<Fate> fate_;
    std::vector<std::int32_t> clash_, safe_, mined_, box_cells_;
    std::vector<Box> boxes_;
    std::vector<Clue> clues_;
    std::vector<Part> parts_;
    std::int64_t interior_ = 0;
    std::int64_t known_mines_ = 0;
    int probe_known_ = 0;
};

}  // namespace mineproof
