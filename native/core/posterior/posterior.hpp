// What follows from evidence: the chance of a mine under every cell, and everything based on it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counting/counter.hpp"
#include "counting/evidence.hpp"
#include "counting/frontier.hpp"
#include "posterior/conclusion.hpp"
#include "posterior/count_chances.hpp"
#include "posterior/estimate.hpp"
#include "posterior/outside.hpp"
#include "posterior/position.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// What to do if exact counting exceeds the budget: fail, or give an estimate that says so.
enum class Precision { exact_only, may_estimate };

// What an answer costs. A cache does not change it.
struct Effort {
    std::size_t components;            // that are left after single clues settled cells
    int cells;                         // unknown cells of the largest component
    int width;                         // of the widest plan
    std::optional<std::int64_t> work;  // nodes of the budget; nothing if not all was counted
};

// Risks closer than this are equal.
inline constexpr double tie = 1e-9;

// The cells of the lowest risk, ascending. Cells that are not closed or excluded do not count.
std::vector<std::int32_t> least_risky(std::span<const double> risk,
                                      std::span<const std::uint8_t> excluded = {});

class Posterior {
  public:
    // Throws Contradiction if no layout fits, BudgetExceeded if the budget does not suffice.
    Posterior(Question question, Budget budget, Precision precision, LayoutCache* cache = nullptr);

    // What was concluded from a position.
    Posterior(const Position& position, Conclusion conclusion);

    const Topology& topology() const { return *question_.topology; }
    Evidence evidence() const { return question_.evidence(); }
    const Question& question() const { return question_; }

    // Chance of a mine by cell; NaN if the cell is not closed.
    const std::vector<double>& risk() const { return risk_; }
    // Closed cells that are certain, ascending. Logic decides: only these have a risk of 0 or 1.
    std::vector<std::int32_t> safe() const { return certain(Certainty::safe); }
    std::vector<std::int32_t> mined() const { return certain(Certainty::mined); }

    bool is_certain(std::int32_t cell) const {
        return certain_[static_cast<std::size_t>(cell)] != Certainty::none;
    }
    // By cell: whether it is certain without the mine total.
    std::vector<std::uint8_t> settled_by_clues() const;

    bool exact() const { return standard_error_.empty(); }
    // By cell, like the risks; empty if the risks are exact.
    const std::vector<double>& standard_error() const { return standard_error_; }

    Effort effort() const;

    double expected_mines() const { return expected_mines_; }
    // Natural logarithm of the weight of all layouts. With exact clues and a known total this is
    // their number.
    double log_weight() const { return log_weight_; }
    // Natural logarithm of the number of layouts that fit.
    double log_layouts() const;
    // The chance of each number of mines on the whole board.
    std::vector<double> total_distribution() const;
    // The chances that the cell is safe and has each number of mines around it.
    std::array<double, max_degree + 1> count_chances(std::int32_t cell) const;
    // The chances that the cell is safe and shows each symbol.
    std::array<double, symbols> clue_chances(std::int32_t cell) const;
    // The same for all closed cells at once, without counting again. By cell; zeros if it is open.
    std::vector<std::array<double, symbols>> all_clue_chances() const;
    // Layouts drawn at random from the posterior, one byte per cell.
    std::vector<std::uint8_t> sample(std::size_t count, std::uint64_t seed) const;

    // The number of layouts of a component by mines, modulo each prime. Python combines these to
    // whole numbers of any size.
    struct Count {
        std::int64_t fewest;
        std::vector<std::vector<std::uint64_t>> residues;
    };
    std::size_t components() const { return layouts_.size(); }
    // A number of bits that is enough for the number of layouts of a component.
    int component_bits(std::size_t index) const;
    Count count(std::size_t index, std::span<const std::uint64_t> primes) const;
    std::int64_t interior() const { return frontier_.interior(); }
    std::int64_t known_mines() const { return frontier_.known_mines(); }

  private:
    enum class Certainty : std::uint8_t { none, safe, mined };

    std::vector<std::int32_t> certain(Certainty which) const;
    void count_components(Budget budget, LayoutCache* cache);
    void conclude(Conclusion conclusion);
    void conclude(Estimate estimate);
    template <class Use>
    void for_each_settled(Use use) const;
    void add_up_mines();
    std::array<double, symbols> show(std::int32_t cell, const ByCount& counts) const;
    std::vector<BoxPlace> places() const;
    void mark_known();
    void mark(std::int32_t cell, Certainty certainty);
    void require_exact(const char* what) const;

    Question question_;
    Frontier frontier_;
    Outside outside_;
    std::vector<std::shared_ptr<const Layouts>> layouts_;
    int width_ = 0;  // of the widest component, counted or not
    std::vector<double> risk_, standard_error_;
    std::vector<Certainty> certain_;
    PolynomialOf<double> frontier_mines_;  // chance of each number of mines in all boxes
    double interior_risk_ = 0.0;
    double expected_mines_ = 0.0;
    double log_weight_ = 0.0;
};

}  // namespace mineproof
