#include "proofs/counterexample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "board/index.hpp"

namespace mineproof {

Counterexamples::Counterexamples(const Evidence& evidence, std::vector<std::uint8_t> layout)
    : evidence_(evidence),
      layout_(std::move(layout)),
      known_cells_(evidence),
      clues_of_(layout_.size(), 0),
      is_flipped_(layout_.size(), 0),
      change_(layout_.size(), 0) {
    for (std::size_t i = 0; i < layout_.size(); ++i)
        mines_ += known_cells_.knowledge[i] == Knowledge::unknown && layout_[i];
}

std::uint32_t Counterexamples::allowed(std::int32_t clue) const {
    const Reader reader(evidence_.channel);
    const auto reading = known_cells_.read(evidence_.topology, evidence_.cells, clue);
    std::uint32_t result = 0;
    for (int mines = 0; mines <= reading.unknown; ++mines)
        if (reader.likelihood(reading, mines) > 0.0) result |= std::uint32_t{1} << mines;
    return result;
}

Counterexamples::Answer Counterexamples::find(std::int32_t cell,
                                              std::span<const std::int32_t> clues, bool keep_total,
                                              std::int64_t& work_left) {
    assert(unknown(cell) && clues.size() <= most_clues);
    cell_ = cell;
    keep_total_ = keep_total;
    left_ = mines_ - (mined(cell) ? 0 : 1);
    capacity_ = known_cells_.unknown - 1;
    form_groups(clues);
    work_left -= static_cast<std::int64_t>(groups_.size()) + 1;
    const bool found = total_in_reach() &&
                       std::all_of(targets_.begin(), targets_.end(),
                                   [](const Target& target) { return target.in_reach(); }) &&
                       fill(0, work_left);
    if (!found) return work_left < 0 ? Answer::gave_up : Answer::none;
    build_layout();
    find_broken();
    return Answer::found;
}

void Counterexamples::form_groups(std::span<const std::int32_t> clues) {
    groups_.clear();
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
        auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& b) { return b.clues == clues_of_[at(cell)]; });
        if (group == groups_.end())
            group = groups_.insert(group, Group{.clues = clues_of_[at(cell)]});
        group->cells.push_back(cell);
        group->mines += mined(cell);
    }
    for (const auto cell : cells)
        clues_of_[at(cell)] = 0;
}

// Decides the groups from this one on, each as close to the layout that fits as possible.
bool Counterexamples::fill(std::size_t index, std::int64_t& work_left) {
    if (index == groups_.size()) return true;
    auto& group = groups_[index];
    const int size = static_cast<int>(group.cells.size());
    const auto put = [&](int mines, int sign) {
        bool in_reach = true;
        for (auto clues = group.clues; clues; clues &= clues - 1) {
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
        for (const int chosen : {group.mines - away, group.mines + away}) {
            if (chosen < 0 || chosen > size) continue;
            if (--work_left < 0) return false;
            group.chosen = chosen;
            if (put(chosen, 1) && fill(index + 1, work_left)) return true;
            put(chosen, -1);
            if (away == 0) break;
        }
    return false;
}

void Counterexamples::flip(std::int32_t cell) {
    flipped_.push_back(cell);
    is_flipped_[at(cell)] = 1;
    const int more = mined(cell) ? -1 : 1;
    for (const auto clue : evidence_.topology.neighbours(cell)) {
        touched_.push_back(clue);
        change_[at(clue)] = static_cast<std::int8_t>(change_[at(clue)] + more);
    }
}

// Flips the first suitable cells to add `more` mines. Returns how many are still missing.
std::int64_t Counterexamples::flip_some(const Cells& cells, std::int64_t more) {
    for (const auto cell : cells) {
        if (more == 0) break;
        if (cell == cell_ || is_flipped_[at(cell)] || mined(cell) != (more < 0)) continue;
        flip(cell);
        more += more < 0 ? 1 : -1;
    }
    return more;
}

const Counterexamples::Cells& Counterexamples::elsewhere(bool mined) {
    if (free_.empty() && mined_.empty()) {
        std::array<Cells, max_degree + 1> free, mines;  // by the number of clues next to them
        for_each_place(known_cells_.knowledge, Knowledge::unknown, [&](std::int32_t cell) {
            const auto around = evidence_.topology.neighbours(cell);
            const auto clues = std::count_if(around.begin(), around.end(), [&](std::int32_t clue) {
                return evidence_.counts_as_clue(clue);
            });
            (layout_[at(cell)] ? mines : free)[at(clues)].push_back(cell);
        });
        for (const auto& cells : free)
            free_.insert(free_.end(), cells.begin(), cells.end());
        for (const auto& cells : mines)
            mined_.insert(mined_.end(), cells.begin(), cells.end());
    }
    return mined ? mined_ : free_;
}

// Flips cells of the layout that fits until the groups hold what was chosen for them.
void Counterexamples::build_layout() {
    flipped_.clear();
    touched_.clear();
    flip(cell_);
    std::int64_t more = mined(cell_) ? -1 : 1;
    for (const auto& group : groups_) {
        flip_some(group.cells, group.chosen - group.mines);
        more += group.chosen - group.mines;
    }
    if (!keep_total_ || more == 0) return;
    // The groups are done: mark their cells so that they are not flipped to correct the total.
    for (const auto& group : groups_)
        for (const auto cell : group.cells)
            is_flipped_[at(cell)] = 1;
    flip_some(elsewhere(more > 0), -more);
    for (const auto& group : groups_)
        for (const auto cell : group.cells)
            is_flipped_[at(cell)] = 0;
}

void Counterexamples::find_broken() {
    for (const auto cell : flipped_)
        is_flipped_[at(cell)] = 0;
    broken_.clear();
    for (const auto clue : touched_) {
        if (change_[at(clue)] == 0) continue;
        int mines = change_[at(clue)];
        change_[at(clue)] = 0;
        if (!evidence_.counts_as_clue(clue)) continue;
        for (const auto cell : evidence_.topology.neighbours(clue))
            mines += unknown(cell) && mined(cell);
        if (!(allowed(clue) >> mines & 1)) broken_.push_back(clue);
    }
    std::sort(broken_.begin(), broken_.end());
}

}  // namespace mineproof
