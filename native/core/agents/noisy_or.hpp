// Reads each clue as independent evidence against its neighbours, and combines the chances.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/clues.hpp"

namespace mineproof {

class NoisyOrPlayer : public CluePlayer {
  public:
    // The lowest chance at which a cell is flagged.
    explicit NoisyOrPlayer(double threshold) : threshold_(threshold) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<NoisyOrPlayer>(threshold_);
    }

  private:
    // What clues say against a cell.
    struct Suspicion {
        double safety = 1.0;  // the chance that every clue leaves the cell safe
        double chance = 0.0;  // of a mine, rounded
        int clues = 0;
        std::array<std::int32_t, max_degree> against{};
    };

    void start(const Question& question) override;
    Decision choose(const Question& question) override;
    void read_new_clues();
    Decision open_around(std::int32_t zero) const;
    void choose_flag();
    void choose_opening(bool hit);
    double risk(std::int32_t cell) const;
    std::string explain() const;
    std::string account(std::int32_t cell) const;

    double threshold_;
    CellSet read_;
    std::vector<Suspicion> suspicions_;  // by cell
    CellSet suspects_;                   // cells that may be opened, next to clues that were read
    std::int32_t hits_ = 0;
    std::int32_t flagged_ = -1, opened_ = -1;  // by this decision
    const char* why_ = nullptr;                // it was opened, if not for its chance
};

}  // namespace mineproof
