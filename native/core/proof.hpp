// Why a cell is certain: the smallest sets of clues that settle it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evidence.hpp"
#include "frontier.hpp"
#include "posterior.hpp"

namespace mineproof {

struct Proof {
    // Sets of cells of clues, each of which settles the cell; none of their clues can be left out.
    // In lexicographic order.
    std::vector<std::vector<std::int32_t>> premises{};
    bool uses_total = false;   // with the mine total; the clues alone never settle it
    bool smallest = false;     // no set of fewer clues does
    bool all = false;          // there is no other set of as few
    bool irreducible = false;  // false only on a huge board, where shrinking took too long
};

// Why cells are certain, which they are by this posterior; for each at most so many sets. Throws
// BudgetExceeded where the posterior is an estimate.
std::vector<Proof> prove(const Posterior& posterior, std::span<const std::int32_t> cells,
                         std::size_t most_sets);

// Looks for the smallest sets of clues that settle cells of one observation.
//
// A set settles a cell if no layout meets it in which the cell is the other way round. So every
// layout with the cell turned round names a "correction": the clues that it breaks, one of which
// every proof must hold. The smallest set that meets all corrections found so far either is a
// proof, or some layout meets it and yields one correction more. Such layouts are made from one
// that fits, changed as little as can be: then corrections are small and lie around the cell.
class Prover {
  public:
    // The layout fits the evidence. Both must outlive this.
    Prover(const Evidence& evidence, std::span<const std::uint8_t> layout);

    // Why the cell, which is certain, is as it is in the layout; at most so many sets.
    Proof prove(std::int32_t cell, std::size_t most_sets);

  private:
    using Cells = std::vector<std::int32_t>;
    enum class Answer { met, unmeetable, unknown };
    // Cells of the same clues among those to be met.
    struct Box {
        std::uint32_t clues = 0;
        std::int32_t mines = 0;  // in the layout
        Cells cells{};
    };
    struct Target {
        std::uint32_t allowed = 0;  // numbers of mines, as bits
        int mines = 0;
        int open = 0;  // cells not yet decided
    };

    std::optional<Proof> search(bool with_total);
    void extend(Cells& chosen, std::size_t size);
    // Whether some layout with the cell turned round meets the clues. If so, what it breaks is
    // left in `broken_`.
    Answer meet(std::span<const std::int32_t> clues);
    bool share_out(std::size_t box);
    bool promising() const;
    void find_broken();
    void turn(std::int32_t cell);
    Proof shrink_instead(bool with_total) const;
    std::uint32_t allowed(std::int32_t clue) const;

    const Evidence& evidence_;
    std::span<const std::uint8_t> layout_;
    Surface surface_;
    Cells by_clues_;  // unknown cells, those that the fewest clues speak of first; made when needed
    std::int64_t mines_ = 0;  // of the layout under unknown cells

    // The question at hand.
    std::int32_t cell_ = 0;
    bool with_total_ = false;
    std::int64_t work_ = 0;
    std::size_t most_sets_ = 1;
    std::vector<Cells> corrections_;
    std::vector<std::uint8_t> excluded_;  // by cell: sets with this clue were looked at
    std::vector<Cells> found_;
    bool gave_up_ = false;
    bool not_settled_ = false;

    // The layout that is being made.
    std::vector<Box> boxes_;
    std::vector<int> counts_;  // mines by box
    std::vector<Target> targets_;
    std::int64_t left_ = 0;                 // mines for the boxes and what lies outside them
    std::int64_t capacity_ = 0;             // of the boxes not yet decided and what lies outside
    std::vector<std::uint32_t> signature_;  // by cell
    std::vector<std::int8_t> change_;       // by clue: mines more than in the layout
    Cells turned_, touched_, broken_;
};

}  // namespace mineproof
