// Draws one picture of the mines, clue by clue from the largest, and trusts it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/clues.hpp"

namespace mineproof {

class ComponentsPlayer : public CluePlayer {
  public:
    // Whether the four corners are opened before mines are laid.
    explicit ComponentsPlayer(bool corners) : corners_(corners) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<ComponentsPlayer>(corners_);
    }

  private:
    Decision choose(const Question& question) override;
    std::optional<Decision> open_corner() const;
    std::int32_t lay_mines();
    bool lay(std::int32_t cell);
    std::string explain(std::int32_t free) const;

    bool corners_;
    std::array<std::vector<std::int32_t>, max_degree + 1> by_shown_;  // clues that can be met
    std::vector<std::int8_t> left_;  // by cell: mines that a clue still needs; -1 if it is no such
    CellSet laid_;
};

}  // namespace mineproof
