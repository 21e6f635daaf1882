// Players that decide natively, so that whole games run in the core.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "board/game.hpp"
#include "board/random.hpp"
#include "chains/chains.hpp"
#include "counting/layouts.hpp"
#include "posterior/position.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

inline constexpr double no_risk = std::numeric_limits<double>::quiet_NaN();

struct Action {
    Move move;
    bool certain = false;   // the player claims that the move is certainly right
    double risk = no_risk;  // the chance of a mine in the player's view, if it has one
};

// A move that the player claims to be right.
inline Action certainly(MoveKind kind, std::int32_t cell) {
    return {{kind, cell}, true, kind == MoveKind::open ? 0.0 : 1.0};
}

// Says why a decision was made, until the player decides again.
using Reason = std::function<std::string()>;

struct Decision {
    std::vector<Action> actions;  // carried out in order
    Reason reason;
    bool ending = false;  // it guesses optimally to the end
};

class Player {
  public:
    virtual ~Player() = default;

    // A player with the same settings that has not played yet.
    virtual std::unique_ptr<Player> clone() const = 0;

    // Forgets the last game. The seed determines the player's randomness.
    virtual void begin(std::uint64_t seed) = 0;
    // What to do next. There are no actions if the player has no decision.
    virtual Decision decide(const Question& question) = 0;
};

// How an exact player chooses among cells of equal risk: the first one, or the one with the
// shortest chain of influence.
enum class Preference : std::uint8_t { first, short_chain };

// What an exact player takes for the channel: what it was told, or clues that are always exact. If
// no layout fits then, it ignores the first of the clashing clues for the rest of the game.
enum class Belief : std::uint8_t { told, exact };

// Makes every certain move, or else opens a cell of the lowest exact risk.
class ExactPlayer : public Player {
  public:
    explicit ExactPlayer(Budget budget, Preference preference = Preference::first,
                         Belief belief = Belief::told)
        : budget_(budget), preference_(preference), belief_(belief), random_(0) {}

    std::unique_ptr<Player> clone() const override {
        return std::make_unique<ExactPlayer>(budget_, preference_, belief_);
    }

    void begin(std::uint64_t seed) override;
    // All flags must be the player's own.
    Decision decide(const Question& question) override;

  protected:
    struct Judgement {
        std::vector<std::int32_t> safe, mined;  // closed cells that are certain
        std::int32_t best = -1;                 // the cell to open if none is safe, or -1
        double risk = 0.0;                      // of that cell
        const char* why = "no cell is certainly safe: this one has the lowest risk";
        bool ending = false;
    };

    // Chooses another cell to open, if that is better. No closed cell is certainly safe.
    virtual void guess(Position& position, const Conclusion& conclusion, Judgement& judgement);

    Budget budget() const { return budget_; }

  private:
    std::optional<Judgement> judge_as_exact(const Question& question);
    Judgement judge(const Question& question);
    Judgement judge_following(const Question& question);
    Judgement judge_afresh(Question question);
    void follow(const Question& question);

    Budget budget_;
    Preference preference_;
    Belief belief_;
    Random random_;
    // A small one: it stays in the processor's cache, and most components never come back.
    LayoutCache cache_{std::size_t{1} << 18};
    std::optional<Position> position_;   // of the current game
    std::optional<Chains> chains_;       // of the current game, if short chains are preferred
    std::vector<std::int32_t> opened_;   // by the last decision
    std::vector<std::int8_t> seen_;      // at this decision
    std::vector<std::int32_t> ignored_;  // clues
};

}  // namespace mineproof
