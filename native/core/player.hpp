// Players that decide natively, so that whole games need no other language.
#pragma once

#include <cstdint>
#include <vector>

#include "layouts.hpp"
#include "posterior.hpp"
#include "random.hpp"
#include "rules.hpp"

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

// Makes every certain move, and otherwise takes the lowest exact risk.
class ExactPlayer : public Player {
  public:
    explicit ExactPlayer(Budget budget) : budget_(budget), random_(0) {}

    void begin(std::uint64_t seed) override { random_ = Random(seed ^ agent_stream); }
    // Every flag must be its own.
    Decision decide(Question question) override;

  private:
    Budget budget_;
    Random random_;
};

}  // namespace mineproof
