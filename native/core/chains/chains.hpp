// Chains of influence: which clues settled each cell, and how far back that goes.
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

// How a cell came to be known: opened first or by a guess, given at the start, or settled.
enum class Origin : std::uint8_t { first, guess, given, settled };

// How many moves of a king lead from one cell to another.
std::int32_t kings_moves(const Topology& topology, std::int32_t one, std::int32_t other);

struct Link {
    std::int32_t cell = 0;
    Origin origin = Origin::settled;
    bool mine = false;
    bool uses_total = false;  // beside the premises
    bool decided = true;      // that no smaller set would do, nor one with a shorter chain
    std::int32_t length = 0;  // one more than the longest of the premises; 0 without any
    std::int32_t root = 0;    // where the longest chain to it begins
    std::vector<std::int32_t> premises{};  // cells of the clues that settle it, ascending
};

// Grows with a game: told of every position and of every opening, it says what settled what.
class Chains {
  public:
    // With exact clues a zero settles the cells around it.
    Chains(std::shared_ptr<const Topology> topology, bool exact_clues);
    // Takes up where others stand.
    Chains(std::shared_ptr<const Topology> topology, bool exact_clues, bool begun,
           std::vector<Link> links);

    // Settles what is certain by the posterior and was not settled before. Throws BudgetExceeded
    // where the posterior is an estimate.
    void settle(const Posterior& posterior);
    // Cells were opened in this order, and now this is seen, what cascades opened as well. What
    // nothing settled begins chains, and so does all that is opened first.
    void open(std::span<const std::int32_t> cells, std::span<const std::int8_t> seen);

    const Topology& topology() const { return *topology_; }
    bool exact_clues() const { return exact_clues_; }
    // Whether a cell was opened.
    bool begun() const { return begun_; }
    // In the order in which cells were settled.
    const std::vector<Link>& links() const { return links_; }
    // Chain length by cell; -1 where it is not settled.
    std::span<const std::int32_t> lengths() const { return lengths_; }
    // Chain length of a cell; of one that is not settled, what the clues next to it would give it.
    std::int32_t likely_length(std::int32_t cell, std::span<const std::int8_t> seen) const;

  private:
    bool settled(std::int32_t cell) const { return lengths_[static_cast<std::size_t>(cell)] >= 0; }
    void add(Link link);
    void begin(std::int32_t cell, Origin origin, bool mine);
    // The open zero next to a cell whose chain is shortest; -1 where there is none.
    std::int32_t zero_beside(std::int32_t cell, std::span<const std::int8_t> seen) const;
    void settle_by_zero(std::int32_t cell, std::int32_t zero);
    // Settles what cascades opened, from the zeros with the shortest chains on.
    void spread(std::span<const std::int8_t> seen);

    std::shared_ptr<const Topology> topology_;
    bool exact_clues_;
    bool begun_ = false;
    std::vector<Link> links_;
    std::vector<std::int32_t> lengths_;
    std::vector<std::int32_t> roots_;  // by cell
};

// Solves a game from its first cell, where it has one (else -1): round after round it opens every
// cell that is certainly safe. Where none is, it guesses, but well: it opens the least risky of the
// cells without a mine. Throws BudgetExceeded where a position is too wide.
Chains solve(Game& game, std::span<const std::uint8_t> mines, std::int32_t first,
             const std::shared_ptr<const Channel>& channel, Budget budget);

// Plays the same way, but stops where a guess is needed; returns whether none is.
bool needs_no_guess(Game& game, std::int32_t first, const std::shared_ptr<const Channel>& channel,
                    Budget budget);

}  // namespace mineproof
