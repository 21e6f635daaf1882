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
    // Sets of clues, each of which settles the cell and has no spare clue. In lexicographic order.
    std::vector<std::vector<std::int32_t>> premises{};
    bool uses_total = false;   // together with the mine total; all clues alone do not suffice
    bool smallest = false;     // no smaller set suffices
    bool all = false;          // there are no other sets of that size
    bool irreducible = false;  // false only on a huge board, if shrinking took too long
};

// Finds the smallest sets of clues that settle cells.
//
// A set settles a cell if no layout with the cell flipped satisfies it. Every layout with the cell
// flipped gives a "correction": the clues that it breaks, one of which every proof must contain.
// The smallest set that contains a clue of every correction found so far either is a proof, or some
// layout satisfies it and gives another correction.
class Prover {
  public:
    // Finds at most `most_sets` sets per cell. With ranks, by cell of a clue, it finds only one,
    // whose largest rank is as small as possible. Throws BudgetExceeded if the posterior is an
    // estimate. The posterior and the ranks must outlive the prover.
    Prover(const Posterior& posterior, std::size_t most_sets,
           std::span<const std::int32_t> ranks = {});

    // Why a cell is certain. The posterior must say that it is.
    Proof prove(std::int32_t cell);

  private:
    using Cells = std::vector<std::int32_t>;
    enum class Use : std::uint8_t { open, chosen, excluded };

    Proof search();
    void extend(Cells& chosen, std::size_t size);
    bool test_set(const Cells& chosen);
    void record(const Cells& chosen);
    bool may_choose(std::int32_t clue) const;
    bool outranked(const Cells& chosen) const;
    // The correction without a chosen clue that leaves the fewest choices. `too_many` if the clues
    // left are not enough for all corrections.
    struct NextCorrection {
        const Cells* correction = nullptr;
        bool too_many = false;
    };
    NextCorrection next_correction(std::size_t clues_left);
    Proof shrink();

    const Posterior& posterior_;
    const Evidence evidence_;
    const std::size_t most_sets_;
    const std::span<const std::int32_t> ranks_;
    Counterexamples counterexamples_;
    const std::vector<std::uint8_t> by_clues_;
    std::int64_t work_limit_ = clash_work_limit;
    // Cells next to the same clues have the same proofs.
    std::map<std::pair<Cells, bool>, Proof> known_;

    // The current question.
    std::int32_t cell_ = 0;
    bool with_total_ = false;
    std::int64_t work_left_ = 0;
    bool stopped_ = false;
    std::vector<Cells> corrections_;  // short ones first
    std::vector<Cells> found_;
    std::int32_t rank_found_ = 0;           // largest rank of the last set found
    std::vector<Use> use_;                  // by cell of a clue; all open between questions
    std::vector<std::int32_t> last_round_;  // by cell of a clue: the last round that counted it
    std::int32_t round_ = 0;
};

}  // namespace mineproof
