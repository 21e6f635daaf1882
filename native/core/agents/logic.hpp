// Reasons with sentences about sets of cells, and never guesses.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/clues.hpp"

namespace mineproof {

// A statement that this many of these cells are mines, and what it was derived from.
struct Sentence {
    std::vector<std::int32_t> cells;  // ascending
    std::int64_t mines;
    std::int32_t origin;  // its number among the origins, or -1
};

// What is known: sentences that leave a choice, and marked cells. A sentence that contradicts the
// marks is dropped, and a cell keeps its first mark.
class KnowledgeBase {
  public:
    void reset(std::size_t cells);

    // What a sentence is about if it was not derived: a clue, or one of these.
    static constexpr std::int32_t from_total = -1;
    static constexpr std::int32_t from_start = -2;
    std::int32_t new_origin(std::int32_t source);

    // Adds sentences, and marks cells until no single sentence marks another one.
    void learn(std::deque<Sentence> waiting);
    // Matches all sentences in pairs once: replaces a whole by its difference from a part.
    void match();

    const CellSet& safe() const { return safe_; }
    const CellSet& mined() const { return mined_; }
    // The sentence that marked a cell.
    const Sentence& marker(std::int32_t cell) const { return markers_[at(marker_[at(cell)])]; }
    // What a sentence was derived from: clues, the total, the start.
    std::vector<std::int32_t> sources(const Sentence& sentence) const;

  private:
    // Two sentences of which one was subtracted from the other, or a source.
    struct Origin {
        std::int32_t whole, part, source;
    };
    struct Kept {
        std::int64_t age;
        std::int64_t mines;
        std::int32_t origin;
    };
    using Cells = std::vector<std::int32_t>;
    using ByCells = std::map<Cells, Kept>;

    void leave_out_marked(Sentence& sentence) const;
    void mark(const Sentence& sentence);
    void keep(const Sentence& sentence);
    Sentence take(ByCells::iterator kept);
    void reduce(const Cells& whole, const Cells& part);
    // The kept sentences that share a cell with these, the oldest first.
    std::vector<ByCells::iterator> touching(const Cells& cells) const;

    std::vector<Origin> origins_;
    ByCells kept_;
    std::vector<std::vector<ByCells::iterator>> with_;  // by cell
    std::int64_t next_age_ = 0;
    std::vector<Cells> unmatched_;
    CellSet safe_, mined_;
    std::vector<Sentence> markers_;
    std::vector<std::int32_t> marker_;  // by cell
};

class LogicPlayer : public CluePlayer {
  public:
    std::unique_ptr<Player> clone() const override { return std::make_unique<LogicPlayer>(); }

  private:
    void start(const Question& question) override;
    Decision choose(const Question& question) override;
    void learn();
    std::optional<Decision> mark();
    std::string because(std::int32_t cell) const;

    KnowledgeBase known_;
};

}  // namespace mineproof
