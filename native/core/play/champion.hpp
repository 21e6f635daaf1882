// The strongest player.
#pragma once

#include <cstdint>
#include <memory>

#include "play/player.hpp"
#include "search/lookahead.hpp"

namespace mineproof {

struct Strength {
    Selection selection;
    Outlook outlook;
    std::size_t ending_layouts = 1000;      // an ending with more is not solved
    std::int64_t ending_work = 20'000'000;  // looks at cells of layouts, for one ending
    std::size_t boards = 0;                 // that the best guesses are tried on
};

// Makes every certain move. Otherwise it plays optimally in parts of the board that can be solved
// apart, or in what is left as a whole. Otherwise it opens the cell that is safe and leaves a
// promising position with the highest chance. It may try the best of these cells on sampled boards.
class ChampionPlayer : public ExactPlayer {
  public:
    ChampionPlayer(Budget budget, Strength strength) : ExactPlayer(budget), strength_(strength) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<ChampionPlayer>(budget(), strength_);
    }

  private:
    void guess(Position& position, const Conclusion& conclusion, Judgement& judgement) override;
    bool play_ending(const Position& position, const Conclusion& conclusion,
                     Judgement& judgement) const;

    Strength strength_;
};

}  // namespace mineproof
