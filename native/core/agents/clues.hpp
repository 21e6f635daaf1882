// Clues as the classical agents read them, kept up to date from one decision to the next, and the
// moves that most of these agents share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "board/cell.hpp"
#include "board/cell_set.hpp"
#include "board/index.hpp"
#include "board/random.hpp"
#include "board/topology.hpp"
#include "play/player.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// Reading a position costs what changed since the last one. A neighbour is unknown if it is closed,
// neither flagged nor known to be safe.
class Clues {
  public:
    // If a degree is given, the rule for safe cells takes every cell to have as many neighbours.
    explicit Clues(int assumed_degree = 0) : assumed_degree_(assumed_degree) {}

    // Forgets the last game.
    void forget() { codes_.clear(); }
    // Returns whether a game begins.
    bool read(const Question& question);

    const Topology& topology() const { return *topology_; }
    std::span<const std::int8_t> codes() const { return codes_; }
    // The cells that have changed since the last decision; in a new game, all that are not closed.
    std::span<const std::int32_t> changed() const { return changed_; }

    // The closed cells without a flag, and of these the ones that are known to be safe.
    const CellSet& openable() const { return openable_; }
    const CellSet& known_safe() const { return known_safe_; }
    const CellSet& flagged() const { return flagged_; }
    // Clues with unknown neighbours.
    const CellSet& all() const { return all_; }
    // Exploded mines.
    std::int32_t hits() const { return hits_; }
    // Mines that are neither exploded nor flagged, if the total is told.
    std::optional<std::int64_t> mines_left(const Prior& prior) const {
        if (prior.kind != Prior::Kind::total) return std::nullopt;
        return prior.mines - hits_ - flagged_.size();
    }

    int shown(std::int32_t clue) const { return codes_[at(clue)]; }
    // Exploded or flagged neighbours.
    int mines(std::int32_t clue) const { return mines_[at(clue)]; }
    int unknown(std::int32_t clue) const { return unknown_[at(clue)]; }
    // Mines among the unknown neighbours.
    int left(std::int32_t clue) const { return shown(clue) - mines(clue); }
    bool is_unknown(std::int32_t cell) const { return codes_[at(cell)] == cell::closed; }
    template <class Use>
    void for_each_unknown(std::int32_t clue, Use use) const {
        for (const auto cell : topology_->neighbours(clue))
            if (is_unknown(cell)) use(cell);
    }
    // "the 1 at (0, 1)"
    std::string name(std::int32_t clue) const;

    // Opens all cells that are known to be safe, if there are any.
    std::optional<Decision> open_known_safe() const;
    // Settles the neighbours of the first clue that allows it by counting.
    std::optional<Decision> settle_first() const;
    Decision settle(std::int32_t clue) const;
    bool settles(std::int32_t clue) const { return settling_.contains(clue); }
    // Opens a random closed cell. If all are flagged, a flag must be wrong, and one is removed.
    Decision guess(Random& random, const char* why) const;

  private:
    void see(std::int32_t cell, std::int8_t code);
    void assess(std::int32_t clue);
    // The mines left at which all unknown neighbours are taken to be safe.
    int free_at(std::int32_t clue) const {
        return assumed_degree_ ? assumed_degree_ - topology_->degree(clue) : 0;
    }

    int assumed_degree_;
    std::shared_ptr<const Topology> topology_;
    std::vector<std::int8_t> codes_;
    std::vector<std::uint8_t> mines_, unknown_;  // by cell: neighbours of each kind
    std::vector<std::int32_t> changed_;
    CellSet openable_, known_safe_, flagged_, all_, settling_;
    std::int32_t hits_ = 0;
};

// A player that reads clues.
class CluePlayer : public Player {
  public:
    explicit CluePlayer(int assumed_degree = 0) : clues_(assumed_degree), random_(0) {}

    void begin(std::uint64_t seed) override {
        random_ = Random(seed);
        clues_.forget();
    }
    Decision decide(const Question& question) override {
        if (clues_.read(question)) start(question);
        return choose(question);
    }

  protected:
    // Forgets the last game, at the first decision of the next.
    virtual void start(const Question&) {}
    virtual Decision choose(const Question& question) = 0;

    const Clues& clues() const { return clues_; }
    const Topology& topology() const { return clues_.topology(); }
    Random& random() { return random_; }

  private:
    Clues clues_;
    Random random_;
};

}  // namespace mineproof
