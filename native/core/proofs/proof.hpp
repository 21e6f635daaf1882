// Why a cell is certain: the smallest sets of clues that settle it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "posterior/clash.hpp"
#include "posterior/posterior.hpp"
#include "proofs/counterexample.hpp"

namespace mineproof {

struct Proof {
    // Sets of cells of clues, each of which settles the cell; none of their clues can be left out.
    // In lexicographic order.
    std::vector<std::vector<std::int32_t>> premises{};
    bool uses_total = false;   // with the mine total; all clues without it do not settle the cell
    bool smallest = false;     // no set of fewer clues does
    bool all = false;          // there is no other set of as few
    bool irreducible = false;  // false only on a huge board, where shrinking took too long
};

// Looks for the smallest sets of clues that settle cells.
//
// A set settles a cell if no layout meets it in which the cell is turned round. So every layout
// with the cell turned round names a "correction": the clues that it breaks, one of which every
// proof must hold. The smallest set that meets all corrections found so far either is a proof, or
// some layout meets it and yields one correction more.
class Prover {
  public:
    // For each cell at most so many sets. With ranks, by cell of a clue, only one whose largest
    // rank is smallest. Throws BudgetExceeded where the posterior is an estimate; it and the ranks
    // must outlive this.
    Prover(const Posterior& posterior, std::size_t most_sets,
           std::span<const std::int32_t> ranks = {});

    // Why a cell is certain, which by the posterior it is.
    Proof prove(std::int32_t cell);

  private:
    using Cells = std::vector<std::int32_t>;
    enum class Use : std::uint8_t { open, chosen, excluded };

    Proof search();
    void extend(Cells& chosen, std::size_t size);
    bool judge(const Cells& chosen);
    void keep(const Cells& chosen);
    bool may_choose(std::int32_t clue) const;
    bool outranked(const Cells& chosen) const;
    // The correction not yet met that leaves the fewest choices; nothing where too few clues are
    // left to meet all of them.
    struct Unmet {
        const Cells* correction = nullptr;
        bool too_many = false;
    };
    Unmet unmet(std::size_t clues_left);
    Proof shrink();

    const Posterior& posterior_;
    const Evidence evidence_;
    const std::size_t most_sets_;
    const std::span<const std::int32_t> ranks_;
    Counterexamples counterexamples_;
    const std::vector<std::uint8_t> by_clues_;
    std::int64_t patience_ = patience_with_a_clash;
    // Cells that the same clues speak of have the same proofs.
    std::map<std::pair<Cells, bool>, Proof> known_;

    // The question at hand.
    std::int32_t cell_ = 0;
    bool with_total_ = false;
    std::int64_t work_left_ = 0;
    bool stopped_ = false;
    std::vector<Cells> corrections_;  // short ones first
    std::vector<Cells> found_;
    std::int32_t rank_found_ = 0;    // the largest of the set found last; only less is of use
    std::vector<Use> use_;           // by cell of a clue; all open between questions
    std::vector<std::int32_t> met_;  // by cell of a clue: in which round it was last counted
    std::int32_t round_ = 0;
};

}  // namespace mineproof
