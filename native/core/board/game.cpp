#include "board/game.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

#include "board/cell.hpp"
#include "board/checkpoint.hpp"
#include "board/random.hpp"
#include "board/reveal.hpp"

namespace mineproof {

int true_count(const Topology& topology, std::span<const std::uint8_t> mines, std::int32_t cell) {
    int count = 0;
    for (const auto neighbour : topology.neighbours(cell)) {
        count += mines[at(neighbour)];
    }
    return count;
}

std::int8_t draw_clue(const Channel& channel, int neighbours, int count, std::uint64_t seed,
                      std::int32_t cell) {
    if (channel.exact) return static_cast<std::int8_t>(count);
    const double u = noise(seed, cell);
    double below = 0;
    int drawn = 0;
    // If rounding leaves the sum just below one, the last possible symbol is drawn.
    for (int seen = 0; seen < symbols; ++seen) {
        const double weight = channel.likelihood(neighbours, count, seen);
        if (weight <= 0) continue;
        drawn = seen;
        below += weight;
        if (u < below) break;
    }
    return drawn == no_clue_symbol ? cell::no_clue : static_cast<std::int8_t>(drawn);
}

Game::Game(std::shared_ptr<const Topology> topology, std::vector<std::uint8_t> mines,
           const Channel& channel, std::uint64_t seed, Rules rules,
           std::span<const std::int32_t> known_safe)
    : Game(topology, std::make_shared<const Channel>(channel), seed, rules) {
    if (mines.size() != cells_.size())
        throw std::invalid_argument("the mines do not fit the topology");
    put_mines({std::move(mines), {known_safe.begin(), known_safe.end()}});
    changed_.clear();
}

Game::Game(std::shared_ptr<const Topology> topology, std::shared_ptr<const Channel> channel,
           std::uint64_t seed, Rules rules)
    : topology_(std::move(topology)),
      mines_(at(topology_->cells()), 0),
      channel_(std::move(channel)),
      seed_(seed),
      rules_(rules),
      cells_(mines_.size(), cell::closed) {
    pending_.reset(rules_.arrival ? cells_.size() : 0);
}

Game::Game(Setup setup, std::uint64_t seed)
    : Game(setup.topology, setup.channel, seed, setup.rules) {
    const bool now = !setup.laid_by_opening();
    total_ = static_cast<int>(setup.mines);
    to_lay_ = std::move(setup);
    if (now) lay(-1);
}

Game::Game(const Setup& setup, std::uint64_t seed, std::vector<std::uint8_t> mines)
    : Game(setup.topology, setup.channel, seed, setup.rules) {
    first_ = first_cell(setup, seed);
    auto known = known_safe(setup, seed, first_, mines);
    put_mines({std::move(mines), std::move(known)});
    changed_.clear();
}

void Game::lay(std::int32_t first) {
    if (is_laid()) return;
    const auto cell = first >= 0 ? first : first_cell(*to_lay_, seed_);
    put_mines(mineproof::lay(*to_lay_, seed_, cell));
    first_ = cell;
    changed_.clear();
    // A player who knows that a cell is safe cannot have flagged it.
    std::erase_if(history_, [&](const Move& move) { return code(move.cell) == cell::known_safe; });
}

// What is known to be safe changes, and loses its flags.
void Game::put_mines(Laid laid) {
    for (const auto cell : laid.known_safe) {
        if (laid.mines.at(at(cell))) refuse(cell, "a mine cannot be known safe");
        if (code(cell) == cell::known_safe) continue;
        changed_.push_back({cell, code(cell)});
        flagged_ -= code(cell) == cell::flagged;
        code(cell) = cell::known_safe;
    }
    mines_ = std::move(laid.mines);
    total_ = static_cast<int>(mines_.size() - std::ranges::count(mines_, 0));
    if (flagged_ > 0) count_right_flags();
    to_lay_.reset();
}

void Game::start_from(std::span<const std::int8_t> seen) {
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell) {
        const auto code = seen[at(cell)];
        if (is_mine(cell)) {
            if (cell::is_open(code)) refuse(cell, "a mine cannot be open");
            if (code == cell::known_safe) refuse(cell, "a mine cannot be known safe");
        } else if (code == cell::exploded) {
            refuse(cell, "a cell without a mine cannot explode");
        }
    }
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        put(cell, seen[at(cell)]);
    opened_ = static_cast<int>(std::ranges::count_if(cells_, cell::is_open));
    exploded_ = static_cast<int>(std::ranges::count(cells_, cell::exploded));
    flagged_ = static_cast<int>(std::ranges::count(cells_, cell::flagged));
    count_right_flags();
}

void Game::count_right_flags() {
    right_flags_ = 0;
    for (std::int32_t cell = 0; cell < topology_->cells(); ++cell)
        right_flags_ += is_mine(cell) && code(cell) == cell::flagged;
}

void Game::open(std::int32_t cell) {
    require_playing(cell);
    if (code(cell) == cell::flagged) refuse(cell, "a flagged cell cannot be opened");
    if (!can_open(cell)) refuse(cell, "the cell is open already");
    open_all({&cell, 1});
    history_.push_back({MoveKind::open, cell});
}

void Game::flag(std::int32_t cell) {
    require_playing(cell);
    if (code(cell) == cell::known_safe) refuse(cell, "a cell known to be safe cannot be flagged");
    if (code(cell) == cell::flagged) refuse(cell, "the cell is flagged already");
    if (code(cell) != cell::closed) refuse(cell, "only a closed cell can be flagged");
    changed_.clear();
    code(cell) = cell::flagged;
    ++flagged_;
    right_flags_ += is_mine(cell);
    history_.push_back({MoveKind::flag, cell});
}

void Game::unflag(std::int32_t cell) {
    require_playing(cell);
    if (code(cell) != cell::flagged) refuse(cell, "there is no flag to take back");
    changed_.clear();
    code(cell) = cell::closed;
    --flagged_;
    right_flags_ -= is_mine(cell);
    history_.push_back({MoveKind::unflag, cell});
}

void Game::chord(std::int32_t cell) {
    require_playing(cell);
    if (cell::is_closed(code(cell))) refuse(cell, "a closed cell cannot be chorded");
    if (!cell::is_clue(code(cell))) refuse(cell, "a cell without a clue cannot be chorded");
    const auto neighbours = topology_->neighbours(cell);
    const auto known = std::ranges::count_if(neighbours, [this](std::int32_t n) {
        return code(n) == cell::flagged || code(n) == cell::exploded;
    });
    if (known != code(cell)) refuse(cell, "the flags around the cell do not match its clue");
    if (std::ranges::none_of(neighbours, [this](std::int32_t n) { return can_open(n); })) {
        refuse(cell, "there is nothing left to open around the cell");
    }
    open_all(std::vector(neighbours.begin(), neighbours.end()));
    history_.push_back({MoveKind::chord, cell});
}

void Game::wait(std::int32_t cell) {
    require_playing(cell);
    if (code(cell) != cell::pending) refuse(cell, "the cell has no pending clue");
    changed_.clear();
    arrive(1);
    history_.push_back({MoveKind::wait, cell});
}

void Game::make(Move move) {
    switch (move.kind) {
        case MoveKind::open:
            return open(move.cell);
        case MoveKind::flag:
            return flag(move.cell);
        case MoveKind::unflag:
            return unflag(move.cell);
        case MoveKind::chord:
            return chord(move.cell);
        case MoveKind::wait:
            return wait(move.cell);
    }
}

std::vector<std::pair<std::int32_t, std::int8_t>> Game::shown() const {
    std::vector<std::pair<std::int32_t, std::int8_t>> cells;
    for (const auto& change : changed_)
        cells.emplace_back(change.cell, code_at(change.cell));
    // A chord may open a cell and then let its clue arrive.
    std::ranges::sort(cells);
    const auto repeated = std::ranges::unique(cells);
    cells.erase(repeated.begin(), repeated.end());
    return cells;
}

Status Game::status() const {
    if (!is_laid()) return Status::playing;
    const int all = topology_->cells();
    if (rules_.keep_going) {
        return opened_ + exploded_ + flagged_ == all ? Status::finished : Status::playing;
    }
    if (exploded_ > 0) return Status::lost;
    return opened_ == all - total_ ? Status::won : Status::playing;
}

int Game::identified() const {
    return status() == Status::won ? total_ : right_flags_;
}

bool Game::can_open(std::int32_t cell) {
    return code(cell) == cell::closed || code(cell) == cell::known_safe;
}

// Opens all of them or, if it is stopped, none.
void Game::open_all(std::span<const std::int32_t> cells) {
    changed_.clear();
    auto to_lay = to_lay_;
    try {
        if (to_lay) {
            put_mines(mineproof::lay(*to_lay, seed_, cells.front()));
            first_ = cells.front();
        }
        for (const auto cell : cells)
            if (can_open(cell) && status() == Status::playing) {
                // Not the clue of the cell itself: it waits for a later opening.
                if (rules_.arrival) arrive(*rules_.arrival);
                open_closed(cell);
            }
    } catch (...) {
        for (const auto& [cell, before] : std::views::reverse(changed_)) {
            if (cell::is_closed(before)) {
                exploded_ -= code(cell) == cell::exploded;
                opened_ -= cell::is_open(code(cell));
                flagged_ += before == cell::flagged;
            }
            put(cell, before);
        }
        if (to_lay) {
            to_lay_ = std::move(to_lay);
            std::ranges::fill(mines_, std::uint8_t{0});
            right_flags_ = 0;
            first_ = -1;
        }
        throw;
    }
}

void Game::open_closed(std::int32_t first) {
    if (is_mine(first)) {
        changed_.push_back({first, code(first)});
        put(first, cell::exploded);
        ++exploded_;
        return;
    }
    // A cascade from a clue that may lie would reveal that it does not.
    const bool cascades = rules_.cascade && channel_->exact && !rules_.arrival;
    Work work;
    const auto show = [&](std::int32_t cell) {
        work.add(1);
        changed_.push_back({cell, code(cell)});
        put(cell, rules_.arrival ? cell::pending : clue_of(cell));
        ++opened_;
        return cascades && code(cell) == 0;
    };
    reveal(*topology_, first, zeros_, show, [this](std::int32_t cell) { return can_open(cell); });
}

std::int8_t Game::clue_of(std::int32_t cell) const {
    const int count = true_count(*topology_, mines_, cell);
    return draw_clue(*channel_, topology_->degree(cell), count, seed_, cell);
}

// Each pending clue arrives with this chance, drawn by the number of openings so far.
void Game::arrive(double chance) {
    pending_.for_each([&](std::int32_t cell) {
        if (noise(seed_, cell, opened_ + exploded_) >= chance) return;
        changed_.push_back({cell, cell::pending});
        put(cell, clue_of(cell));
    });
}

void Game::put(std::int32_t cell, std::int8_t code) {
    cells_[at(cell)] = code;
    if (rules_.arrival) pending_.set(cell, code == cell::pending);
}

void Game::require_playing(std::int32_t cell) const {
    if (cell < 0 || cell >= topology_->cells())
        throw IllegalMove("cell " + std::to_string(cell) + ": the board has " +
                          std::to_string(topology_->cells()) + " cells");
    if (status() != Status::playing) refuse(cell, "the game is over");
}

void Game::refuse(std::int32_t cell, const char* reason) const {
    throw IllegalMove(topology_->name(cell) + ": " + reason);
}

}  // namespace mineproof
