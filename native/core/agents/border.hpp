// Searches all assignments of mines to the border, and uses their shares as risks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/assignments.hpp"
#include "agents/clues.hpp"
#include "posterior/solver.hpp"

namespace mineproof {

class BorderPlayer : public CluePlayer {
  public:
    // Independent borders are searched together if `split` is false. After this many steps, a
    // search is given up, and the assignments are counted instead.
    BorderPlayer(bool split, std::int64_t steps) : split_(split), steps_(steps) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<BorderPlayer>(split_, steps_);
    }

  private:
    struct Part {
        Limits limits;
        std::vector<std::int32_t> cells{};  // empty if no assignment is valid
        std::vector<double> shares{};       // of assignments with a mine, parallel to the cells
    };

    void start(const Question& question) override;
    Decision choose(const Question& question) override;
    void search(const Question& question);
    bool visit(Part& part) const;
    void count(Part& part, const Question& question);
    std::optional<Decision> settle_agreed() const;
    std::optional<Decision> open_least_risky(const Question& question);

    bool split_;
    std::int64_t steps_;
    std::optional<Solver> solver_;
    bool optimistic_ = false;    // what the channel shows
    std::vector<Part> parts_;    // at the last decision
    CellSet border_;             // the cells that have shares
    std::vector<double> share_;  // by cell
};

}  // namespace mineproof
