// The rules: true counts, opening, cascade, chording, flags, and how a game ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "board/cell_set.hpp"
#include "board/index.hpp"
#include "board/model.hpp"
#include "board/setup.hpp"
#include "board/topology.hpp"

namespace mineproof {

// A move that the rules forbid; the message names the cell.
class IllegalMove : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

enum class MoveKind : std::uint8_t { open, flag, unflag, chord, wait };

struct Move {
    MoveKind kind;
    std::int32_t cell;
};

enum class Status { playing, won, lost, finished };

// The mines around a cell.
int true_count(const Topology& topology, std::span<const std::uint8_t> mines, std::int32_t cell);

// What a cell shows of its true count, as a code of cell.hpp. Drawn once per (seed, cell).
std::int8_t draw_clue(const Channel& channel, int neighbours, int count, std::uint64_t seed,
                      std::int32_t cell);

// One game on one board. Creating it takes time proportional to the board, a move only to what it
// changes.
class Game {
  public:
    using Rules = mineproof::Rules;

    // The game of a seed. Its mines are laid at once, or else by the first opening.
    Game(Setup setup, std::uint64_t seed);
    // The same on a given board. Throws std::invalid_argument if it breaks the start rule.
    Game(const Setup& setup, std::uint64_t seed, std::vector<std::uint8_t> mines);
    Game(std::shared_ptr<const Topology> topology, std::vector<std::uint8_t> mines,
         const Channel& channel, std::uint64_t seed, Rules rules,
         std::span<const std::int32_t> known_safe);

    bool is_laid() const { return !to_lay_; }
    // Lays the mines around a first cell before any is opened, as if it had been given; -1 stands
    // for that of the start rule. Nothing happens if they are laid.
    void lay(std::int32_t first);
    // The cell that the rules open first, or that laid the mines; -1 if there is none.
    std::int32_t first() const { return first_; }

    // Continues from what is already seen, one code per cell; no move may have been made.
    void start_from(std::span<const std::int8_t> seen);

    void open(std::int32_t cell);
    void flag(std::int32_t cell);
    void unflag(std::int32_t cell);

    // Opens the unflagged neighbours of a clue that has as many flagged or exploded ones as it
    // says, in ascending order, until the game ends.
    void chord(std::int32_t cell);

    // Waits for the pending clue of a cell: all pending clues arrive.
    void wait(std::int32_t cell);

    void make(Move move);
    // All moves so far.
    std::span<const Move> history() const { return history_; }
    // The cells that the last move changed, ascending, with what they show now; not its own flag.
    std::vector<std::pair<std::int32_t, std::int8_t>> shown() const;

    Status status() const;
    const std::shared_ptr<const Topology>& topology() const { return topology_; }
    std::span<const std::int8_t> cells() const { return cells_; }
    std::int8_t code_at(std::int32_t cell) const { return cells_[at(cell)]; }
    // The truth, one byte per cell. Players must not see it.
    std::span<const std::uint8_t> mine_mask() const { return mines_; }

    int mines() const { return total_; }
    int opened() const { return opened_; }
    int exploded() const { return exploded_; }
    int flagged() const { return flagged_; }
    int wrong_flags() const { return is_laid() ? flagged_ - right_flags_ : 0; }

    // Mines that are flagged and did not explode; all mines once the game is won.
    int identified() const;

  private:
    Game(std::shared_ptr<const Topology> topology, std::shared_ptr<const Channel> channel,
         std::uint64_t seed, Rules rules);

    std::int8_t& code(std::int32_t cell) { return cells_[at(cell)]; }
    void put(std::int32_t cell, std::int8_t code);
    bool is_mine(std::int32_t cell) const { return mines_[at(cell)] != 0; }
    bool can_open(std::int32_t cell);
    void open_all(std::span<const std::int32_t> cells);
    void open_closed(std::int32_t first);
    void put_mines(Laid laid);
    void count_right_flags();
    std::int8_t clue_of(std::int32_t cell) const;
    void arrive(double chance);
    void require_playing(std::int32_t cell) const;
    [[noreturn]] void refuse(std::int32_t cell, const char* reason) const;

    std::shared_ptr<const Topology> topology_;
    std::optional<Setup> to_lay_;  // until the mines are laid
    std::vector<std::uint8_t> mines_;
    std::shared_ptr<const Channel> channel_;
    std::uint64_t seed_;
    Rules rules_;
    std::int32_t first_ = -1;
    std::vector<std::int8_t> cells_;
    std::vector<Move> history_;
    struct Change {
        std::int32_t cell;
        std::int8_t before;  // its code
    };
    std::vector<Change> changed_;      // by the last opening, chord or waiting
    std::vector<std::int32_t> zeros_;  // memory to open cells in
    CellSet pending_;                  // cells whose clues have not arrived yet
    int total_ = 0;
    int opened_ = 0;
    int exploded_ = 0;
    int flagged_ = 0;
    int right_flags_ = 0;
};

}  // namespace mineproof
