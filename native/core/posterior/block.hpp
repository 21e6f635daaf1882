// Boxes that are redrawn together, given all others: the step of a random walk through layouts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/random.hpp"
#include "counting/frontier.hpp"
#include "counting/layouts.hpp"
#include "counting/plan.hpp"

namespace mineproof {

// Boxes and clues that need not be connected.
struct LooseParts {
    std::vector<Box> boxes;
    std::vector<Clue> clues;

    void add(const Component& component);
    int cells() const { return Component{boxes, clues}.cells(); }
};

// The clues nearest to a box, and all their boxes, that box first. Other clues are left out.
LooseParts clues_near(const LooseParts& parts, std::size_t box, std::size_t count);

// The mines of every box, and what follows from them.
struct LooseLayout {
    explicit LooseLayout(const LooseParts& parts)
        : box_mines(parts.boxes.size(), 0), clue_mines(parts.clues.size(), 0) {}

    void set(const LooseParts& parts, std::size_t box, int mines);

    std::vector<std::uint8_t> box_mines;
    std::vector<std::int8_t> clue_mines;
    std::int64_t mines = 0;
};

// Weights of clues by mines in their boxes, which may differ from the clues' own.
using ClueWeights = std::vector<std::array<double, max_degree + 1>>;

// Connected boxes of a block, ready to be counted.
class BlockPiece {
  public:
    BlockPiece(const LooseParts& parts, std::vector<std::int32_t> boxes,
               std::span<const std::uint8_t> held);

    double cost() const { return plan_.cost; }
    std::span<const std::int32_t> boxes() const { return box_ids_; }

    // Counts the layouts of these boxes, given all others.
    Layouts count(const ClueWeights& weights, const LooseLayout& layout);

  private:
    std::vector<std::int32_t> box_ids_, clue_ids_;
    std::vector<Box> boxes_;
    std::vector<Clue> clues_;
    Plan plan_;
    std::vector<std::int8_t> outside_;  // by touch: cells of the clue that are still missing
};

// What a redraw knew before it drew, given the boxes that were held.
struct Redrawn {
    PolynomialOf<double> mines;               // chances of each number of mines in all boxes
    std::vector<std::vector<double>> values;  // by piece, as in Layouts::box_values
};

class Block {
  public:
    Block(const LooseParts& parts, std::span<const std::uint8_t> held);

    double cost() const;
    std::span<const BlockPiece> pieces() const { return pieces_; }

    // Redraws all boxes that are not held. `around` is the weight of everything else by mines in
    // all boxes, and `odds` are about its ratio from one number to the next. The layout must have a
    // positive weight. With `report`, returns what was known.
    Redrawn redraw(const LooseParts& parts, const ClueWeights& weights,
                   std::span<const Wide> around, double odds, LooseLayout& layout, Random& random,
                   bool report);

  private:
    std::vector<BlockPiece> pieces_;
};

// Chooses boxes to hold at random, so that the others can be counted at a limited cost. Boxes whose
// clues form a tree, such as a long row, are never held: only where clues are dense must some be.
// What is chosen does not depend on any layout.
class BlockMaker {
  public:
    BlockMaker(const LooseParts& parts, double most_cost, Random& random);

    // So many large blocks, and small ones that have every box inside.
    std::vector<Block> make_all(std::size_t count);

  private:
    Block make();
    Block make_around(std::size_t centre, std::span<std::uint8_t> is_inside) const;

    const LooseParts& parts_;
    double most_cost_;
    double most_bits_;
    Random& random_;
    std::vector<int> times_held_;
};

}  // namespace mineproof
