#include "proofs/counterexample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "board/index.hpp"

namespace mineproof {

Counterexamples::Counterexamples(const Evidence& evidence, std::vector<std::uint8_t> layout)
    : evidence_(evidence),
      layout_(std::move(layout)),
      surface_(evidence),
      clues_of_(layout_.size(), 0),
      is_turned_(layout_.size(), 0),
      change_(layout_.size(), 0) {
    for (std::size_t i = 0; i < layout_.size(); ++i)
        mines_ += surface_.fate[i] == Fate::unknown && layout_[i];
}

bool Counterexamples::speaks(std::int32_t cell) const {
    const auto code = evidence_.cells[at(cell)];
    return code >= 0 || (code == cell::no_clue && evidence_.channel.loses_clues);
}

std::uint32_t Counterexamples::allowed(std::int32_t clue) const {
    const auto code = evidence_.cells[at(clue)];
    const auto& channel = evidence_.channel;
    const int known = surface_.around[at(clue)] / 16;
    const int unknown = surface_.around[at(clue)] % 16;
    if (channel.exact) return std::uint32_t{1} << (code - known);
    const int seen = code < 0 ? no_clue_symbol : code;
    const int degree = evidence_.topology.degree(clue);
    std::uint32_t result = 0;
    for (int mines = 0; mines <= unknown; ++mines)
        if (channel.likelihood(degree, known + mines, seen) > 0)
            result |= std::uint32_t{1} << mines;
    return result;
}

Counterexamples::Answer Counterexamples::look(std::int32_t cell,
                                              std::span<const std::int32_t> clues, bool keep_total,
                                              std::int64_t& work_left) {
    cell_ = cell;
    keep_total_ = keep_total;
    left_ = mines_ - (mined(cell) ? 0 : 1);
    capacity_ = surface_.unknown - 1;
    form_boxes(clues);
    work_left -= static_cast<std::int64_t>(boxes_.size()) + 1;
    const bool found = total_in_reach() &&
                       std::all_of(targets_.begin(), targets_.end(),
                                   [](const Target& target) { return target.in_reach(); }) &&
                       fill(0, work_left);
    if (!found) return work_left < 0 ? Answer::gave_up : Answer::none;
    make();
    find_broken();
    return Answer::found;
}

void Counterexamples::form_boxes(std::span<const std::int32_t> clues) {
    boxes_.clear();
    targets_.clear();
    Cells cells;
    for (std::size_t i = 0; i < clues.size(); ++i) {
        Target target{.allowed = allowed(clues[i])};
        for (const auto cell : evidence_.topology.neighbours(clues[i])) {
            if (!unknown(cell)) continue;
            if (cell == cell_) {
                target.mines = mined(cell) ? 0 : 1;
                continue;
            }
            ++target.open;
            if (!clues_of_[at(cell)]) cells.push_back(cell);
            clues_of_[at(cell)] |= std::uint32_t{1} << i;
        }
        targets_.push_back(target);
    }
    for (const auto cell : cells) {
        auto box = std::find_if(boxes_.begin(), boxes_.end(),
                                [&](const Box& b) { return b.clues == clues_of_[at(cell)]; });
        if (box == boxes_.end()) box = boxes_.insert(box, Box{.clues = clues_of_[at(cell)]});
        box->cells.push_back(cell);
        box->mines += mined(cell);
    }
    for (const auto cell : cells)
        clues_of_[at(cell)] = 0;
}

// Decides the boxes from this one on, each as close to the layout that fits as can be.
bool Counterexamples::fill(std::size_t index, std::int64_t& work_left) {
    if (index == boxes_.size()) return true;
    auto& box = boxes_[index];
    const int size = static_cast<int>(box.cells.size());
    const auto put = [&](int mines, int sign) {
        bool in_reach = true;
        for (auto clues = box.clues; clues; clues &= clues - 1) {
            auto& target = targets_[at(std::countr_zero(clues))];
            target.mines += sign * mines;
            target.open -= sign * size;
            in_reach = in_reach && target.in_reach();
        }
        left_ -= sign * mines;
        capacity_ -= sign * size;
        return in_reach && total_in_reach();
    };
    for (int away = 0; away <= size; ++away)
        for (const int chosen : {box.mines - away, box.mines + away}) {
            if (chosen < 0 || chosen > size) continue;
            if (--work_left < 0) return false;
            box.chosen = chosen;
            if (put(chosen, 1) && fill(index + 1, work_left)) return true;
            put(chosen, -1);
            if (away == 0) break;
        }
    return false;
}

void Counterexamples::turn(std::int32_t cell) {
    turned_.push_back(cell);
    is_turned_[at(cell)] = 1;
    const int more = mined(cell) ? -1 : 1;
    for (const auto clue : evidence_.topology.neighbours(cell)) {
        touched_.push_back(clue);
        change_[at(clue)] = static_cast<std::int8_t>(change_[at(clue)] + more);
    }
}

// Turns the first of the cells, so that there are so many mines more; returns what is left of that.
std::int64_t Counterexamples::turn_some(const Cells& cells, std::int64_t more) {
    for (const auto cell : cells) {
        if (more == 0) break;
        if (cell == cell_ || is_turned_[at(cell)] || mined(cell) != (more < 0)) continue;
        turn(cell);
        more += more < 0 ? 1 : -1;
    }
    return more;
}

const Counterexamples::Cells& Counterexamples::elsewhere(bool mined) {
    if (free_.empty() && mined_.empty()) {
        std::array<Cells, max_degree + 1> free, mines;  // by the clues that speak of them
        for_each_place(surface_.fate, Fate::unknown, [&](std::int32_t cell) {
            const auto around = evidence_.topology.neighbours(cell);
            const auto clues = std::count_if(around.begin(), around.end(),
                                             [&](std::int32_t clue) { return speaks(clue); });
            (layout_[at(cell)] ? mines : free)[at(clues)].push_back(cell);
        });
        for (const auto& cells : free)
            free_.insert(free_.end(), cells.begin(), cells.end());
        for (const auto& cells : mines)
            mined_.insert(mined_.end(), cells.begin(), cells.end());
    }
    return mined ? mined_ : free_;
}

// Turns cells of the layout that fits until the boxes hold what was chosen for them.
void Counterexamples::make() {
    turned_.clear();
    touched_.clear();
    turn(cell_);
    std::int64_t more = mined(cell_) ? -1 : 1;
    for (const auto& box : boxes_) {
        turn_some(box.cells, box.chosen - box.mines);
        more += box.chosen - box.mines;
    }
    if (!keep_total_ || more == 0) return;
    // The boxes are as they should be: they keep out of what is turned elsewhere.
    for (const auto& box : boxes_)
        for (const auto cell : box.cells)
            is_turned_[at(cell)] = 1;
    turn_some(elsewhere(more > 0), -more);
    for (const auto& box : boxes_)
        for (const auto cell : box.cells)
            is_turned_[at(cell)] = 0;
}

void Counterexamples::find_broken() {
    for (const auto cell : turned_)
        is_turned_[at(cell)] = 0;
    broken_.clear();
    for (const auto clue : touched_) {
        if (change_[at(clue)] == 0) continue;
        int mines = change_[at(clue)];
        change_[at(clue)] = 0;
        if (!speaks(clue)) continue;
        for (const auto cell : evidence_.topology.neighbours(clue))
            mines += unknown(cell) && mined(cell);
        if (!(allowed(clue) >> mines & 1)) broken_.push_back(clue);
    }
    std::sort(broken_.begin(), broken_.end());
}

}  // namespace mineproof
