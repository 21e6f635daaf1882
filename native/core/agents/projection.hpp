// Believes in the first assignment of mines that breaks no clue.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/assignments.hpp"
#include "agents/clues.hpp"

namespace mineproof {

struct ProjectionOptions {
    bool eight = false;     // takes every cell to have 8 neighbours
    bool strict = false;    // a clue with too few mines is broken, too
    bool global = false;    // uses the mine total
    bool annealed = false;  // sometimes skips a risky choice
    bool away = false;      // opens a cell away from all clues if a lone clue speaks of its choice
};

class ProjectionPlayer : public CluePlayer {
  public:
    // The search of one border may take so many steps.
    ProjectionPlayer(ProjectionOptions options, std::int64_t steps)
        : CluePlayer(options.eight ? max_degree : 0), options_(options), steps_(steps) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<ProjectionPlayer>(options_, steps_);
    }

  private:
    Decision choose(const Question& question) override;
    std::optional<Decision> flag_all(const Question& question) const;
    std::optional<Decision> project();
    std::optional<Decision> choose_free(std::optional<Decision>& skipped);
    Decision open(std::int32_t cell, std::int32_t clue);
    std::optional<Decision> open_away(std::int32_t cell);
    bool skips(std::int32_t clue);

    ProjectionOptions options_;
    std::int64_t steps_;
    Limits limits_;
    CellSet mined_;  // in the assignment
};

}  // namespace mineproof
