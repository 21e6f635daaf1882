// What follows from evidence: the chance of a mine under every cell, and all that hangs on it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counting/evidence.hpp"
#include "counting/frontier.hpp"
#include "counting/layout_cache.hpp"
#include "counting/layouts.hpp"
#include "posterior/combination.hpp"
#include "posterior/estimate.hpp"
#include "posterior/outside.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// What a wide question gets: the truth or nothing, or an estimate that says what it is.
enum class Width { exact_only, may_estimate };

// What an answer cost, whether or not a cache spared it.
struct Effort {
    std::size_t components;            // to be counted, after what single clues settle
    int cells;                         // unknown ones of the largest component
    int width;                         // of the widest plan
    std::optional<std::int64_t> work;  // nodes of the budget; nothing where not all was counted
};

class Posterior {
  public:
    // Throws Contradiction where nothing fits, BudgetExceeded where the budget does not suffice.
    Posterior(Question question, Budget budget, Width width, LayoutCache* cache = nullptr);

    const Topology& topology() const { return *question_.topology; }
    Evidence evidence() const { return question_.evidence(); }

    // Chance of a mine by cell; NaN where a cell is not closed.
    const std::vector<double>& risk() const { return risk_; }
    // Closed cells that are certain, ascending. By logic: a risk is 0 or 1 nowhere else.
    std::vector<std::int32_t> safe() const { return certain(Certainty::safe); }
    std::vector<std::int32_t> mined() const { return certain(Certainty::mined); }

    // By cell: whether it is certain by the clues alone, whatever the mine total.
    std::vector<std::uint8_t> settled_by_clues() const;

    bool exact() const { return standard_error_.empty(); }
    // By cell, like the risks; empty where they are exact.
    const std::vector<double>& standard_error() const { return standard_error_; }

    Effort effort() const;

    double expected_mines() const { return expected_mines_; }
    // Natural logarithm of the weight of all layouts: under exact clues and a told total, of their
    // number.
    double log_weight() const { return log_weight_; }
    // Chances by mines on the whole board.
    std::vector<double> total_distribution() const;
    // Chances that the cell is safe and touches each number of mines.
    std::array<double, max_degree + 1> count_chances(std::int32_t cell) const;
    // Chances that the cell is safe and shows each symbol.
    std::array<double, symbols> clue_chances(std::int32_t cell) const;
    // Layouts drawn at random from the posterior, a byte per cell.
    std::vector<std::uint8_t> sample(std::size_t count, std::uint64_t seed) const;

    // What counting in whole numbers needs of each component: modulo each of the primes, the
    // layouts by mines.
    struct Count {
        std::int64_t fewest;
        std::vector<std::vector<std::uint64_t>> residues;
    };
    std::size_t components() const { return layouts_.size(); }
    // Bits that suffice for the layouts of a component.
    int component_bits(std::size_t index) const { return layouts_[index]->count_bits(); }
    Count count(std::size_t index, std::span<const std::uint64_t> primes) const;
    std::int64_t interior() const { return frontier_.interior(); }
    std::int64_t known_mines() const { return frontier_.known_mines(); }

  private:
    enum class Certainty : std::uint8_t { none, safe, mined };

    std::vector<std::int32_t> certain(Certainty which) const;
    void count_components(LayoutCache* cache);
    void count_component(std::size_t index, const Plan& plan, Budget& budget, LayoutCache* cache);
    void conclude(const Reckoning& reckoning);
    void conclude(Estimate estimate);
    template <class Use>
    void for_each_settled(Use use) const;
    template <class Prove>
    void conclude_component(std::size_t index, const std::vector<double>& values, Prove prove);
    template <class Reason>
    void conclude_interior(const Reckoning& reckoning, Reason reason);
    void add_up_mines();
    std::array<Wide, max_degree + 1> probe_counts(std::int32_t cell) const;
    void mark_known();
    void mark(std::int32_t cell, Certainty certainty);
    void require_exact(const char* what) const;

    Question question_;
    Budget budget_;
    Frontier frontier_;
    Outside outside_;
    std::vector<std::shared_ptr<const Layouts>> layouts_;
    int width_ = 0;  // of the widest component, counted or not
    std::vector<double> risk_, standard_error_;
    std::vector<Certainty> certain_;
    PolynomialOf<double> frontier_mines_;  // chances by mines in all boxes
    double interior_risk_ = 0.0;
    double expected_mines_ = 0.0;
    double log_weight_ = 0.0;
};

}  // namespace mineproof
