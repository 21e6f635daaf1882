// Chains of influence: which clues settled each cell, and how far back the chain goes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/game.hpp"
#include "board/topology.hpp"
#include "counting/evidence.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

// How a cell became known: opened first or by a guess, given at the start, or settled.
enum class Origin : std::uint8_t { first, guess, given, settled };

struct Link {
    std::int32_t cell = 0;
    Origin origin = Origin::settled;
    bool mine = false;
    bool uses_total = false;  // in addition to the premises
    bool decided = true;      // it is known that no smaller set and no shorter chain exists
    std::int32_t length = 0;  // one more than the longest of the premises; 0 without premises
    std::int32_t root = 0;    // the cell where the longest chain to it starts
    std::vector<std::int32_t> premises{};  // cells of the clues that settle it, ascending
};

// What a cell is settled by: a smallest set of clues that proves it, or instead the clue with the
// longest chain. The latter takes no proofs, and no chain is longer than it says.
enum class Premises : std::uint8_t { smallest, deepest };

// The chains of a game. It follows the game position by position and records what settled what.
class Chains {
  public:
    // With exact clues a zero settles its neighbours.
    Chains(std::shared_ptr<const Topology> topology, bool exact_clues);
    // Continues from links recorded earlier.
    Chains(std::shared_ptr<const Topology> topology, bool exact_clues, bool begun,
           std::vector<Link> links);

    // Takes what is open or exploded in a position as given.
    void start_from(std::span<const std::int8_t> seen);
    // Settles the cells that are certain by the posterior and were not settled before. Throws
    // BudgetExceeded if the posterior is an estimate.
    void settle(const Posterior& posterior, Premises premises = Premises::smallest);
    // Records that cells were opened in this order; `seen` is the position afterwards, cascades
    // included. Cells that nothing settled start new chains, and so do the cells opened first.
    void open(std::span<const std::int32_t> cells, std::span<const std::int8_t> seen);

    const Topology& topology() const { return *topology_; }
    bool exact_clues() const { return exact_clues_; }
    // Whether any cell was opened.
    bool begun() const { return begun_; }
    // In the order in which the cells were settled.
    const std::vector<Link>& links() const { return links_; }
    // Chain length by cell; -1 if the cell is not settled.
    std::span<const std::int32_t> lengths() const { return lengths_; }
    // The chain length of a cell. If it is not settled, the length that the clues next to it
    // suggest.
    std::int32_t likely_length(std::int32_t cell, std::span<const std::int8_t> seen) const;

  private:
    bool settled(std::int32_t cell) const { return lengths_[static_cast<std::size_t>(cell)] >= 0; }
    void add(Link link);
    void begin(std::int32_t cell, Origin origin, bool mine);
    // The open zero next to a cell that has the shortest chain; -1 if there is none.
    std::int32_t zero_beside(std::int32_t cell, std::span<const std::int8_t> seen) const;
    std::vector<std::int32_t> deepest_clue(std::span<const std::int8_t> seen) const;
    void settle_by_zero(std::int32_t cell, std::int32_t zero);
    // Settles the cells that cascades opened, starting at the zeros with the shortest chains.
    void spread(std::span<const std::int8_t> seen);

    std::shared_ptr<const Topology> topology_;
    bool exact_clues_;
    bool begun_ = false;
    std::vector<Link> links_;
    std::vector<std::int32_t> lengths_;
    std::vector<std::int32_t> roots_;  // by cell
};

// Opens those of the cells that are closed.
void open(Game& game, std::span<const std::int32_t> cells);

// Whether every safe cell is open. If mines do not end the game, it would go on until all are
// flagged.
bool is_solved(const Game& game);

// What follows from a position if the mine total is known. Throws BudgetExceeded if the position is
// too wide.
Posterior posterior_of(const Game& game, const std::shared_ptr<const Channel>& channel,
                       Budget budget);

// Solves a game, starting at its first cell, or -1 if it has none. In each round it opens every
// cell that is certainly safe. If there is none, it opens the least risky of the cells without a
// mine. Throws BudgetExceeded if a position is too wide.
Chains solve(Game& game, std::int32_t first, const std::shared_ptr<const Channel>& channel,
             Budget budget);

}  // namespace mineproof
