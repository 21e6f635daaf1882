// Players that decide natively, so that whole games need no other language.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "board/game.hpp"
#include "board/random.hpp"
#include "chains/chains.hpp"
#include "counting/layouts.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

// Why a decision was made.
enum class Reason : std::uint8_t { proved, least_risky, cannot_judge };

struct Action {
    Move move;
    bool certain;  // the player claims to know that this is right
    double risk;   // the chance of a mine that it sees; NaN where it has none
};

struct Decision {
    std::vector<Action> actions;  // done in order
    Reason reason;
};

class Player {
  public:
    virtual ~Player() = default;

    // Forgets the last game; the randomness of the next comes from the seed.
    virtual void begin(std::uint64_t seed) = 0;
    // What to do next; without actions where the player has no decision.
    virtual Decision decide(Question question) = 0;
};

// What an exact player goes by among cells of equal risk: their order, or the length of their
// chains of influence.
enum class Preference : std::uint8_t { first, short_chain };

// Makes every certain move, and otherwise takes the lowest exact risk.
class ExactPlayer : public Player {
  public:
    explicit ExactPlayer(Budget budget, Preference preference = Preference::first)
        : budget_(budget), preference_(preference), random_(0) {}

    void begin(std::uint64_t seed) override;
    // Every flag must be its own.
    Decision decide(Question question) override;

  private:
    Decision judge(Question question);
    void follow(const Question& question);

    Budget budget_;
    Preference preference_;
    Random random_;
    std::optional<Chains> chains_;      // of the game, where short ones are preferred
    std::vector<std::int32_t> opened_;  // by the last decision
};

}  // namespace mineproof
