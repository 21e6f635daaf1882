#include "agents/components.hpp"

namespace mineproof {

Decision ComponentsPlayer::choose(const Question&) {
    if (auto safe = clues().open_known_safe()) return *safe;
    if (auto settled = clues().settle_first()) return *settled;
    if (auto corner = open_corner()) return *corner;
    if (const auto free = lay_mines(); free >= 0)
        return {{{{MoveKind::open, free}}}, [this, free] { return explain(free); }};
    return clues().guess(random(), "no clue leaves a cell free of mines");
}

std::optional<Decision> ComponentsPlayer::open_corner() const {
    if (!corners_) return std::nullopt;
    const auto cells = topology().cells();
    const auto cols = topology().cols();
    for (const auto corner : {0, cols - 1, cells - cols, cells - 1})
        if (clues().openable().contains(corner))
            return Decision{{{{MoveKind::open, corner}}}, [] { return "the corners come first"; }};
    return std::nullopt;
}

// Decides which cells next to clues are mines, one cell after the other, from the largest clue.
// Returns the first cell that is none, or -1.
std::int32_t ComponentsPlayer::lay_mines() {
    laid_.reset(clues().codes().size());
    left_.assign(clues().codes().size(), -1);
    for (auto& some : by_shown_)
        some.clear();
    clues().all().for_each([&](std::int32_t clue) {
        const int left = clues().left(clue);
        if (left < 0 || left > clues().unknown(clue)) return;
        left_[at(clue)] = static_cast<std::int8_t>(left);
        by_shown_[at(clues().shown(clue))].push_back(clue);
    });
    std::int32_t free = -1;
    for (int shown = max_degree; shown >= 0; --shown)
        for (const auto clue : by_shown_[at(shown)])
            clues().for_each_unknown(clue, [&](std::int32_t cell) {
                if (laid_.contains(cell)) return;
                laid_.set(cell, true);
                if (!lay(cell) && (free < 0 || cell < free)) free = cell;
            });
    return free;
}

// Lays a mine unless a clue around the cell has enough.
bool ComponentsPlayer::lay(std::int32_t cell) {
    const auto around = topology().neighbours(cell);
    for (const auto clue : around)
        if (left_[at(clue)] == 0) return false;
    for (const auto clue : around)
        if (left_[at(clue)] > 0) --left_[at(clue)];
    return true;
}

std::string ComponentsPlayer::explain(std::int32_t free) const {
    std::string text;
    for (const auto clue : topology().neighbours(free))
        if (clues().all().contains(clue))
            text +=
                (text.empty() ? "no mine was laid here to meet " : " and ") + clues().name(clue);
    return text;
}

}  // namespace mineproof
