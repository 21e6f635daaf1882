#include "posterior/position.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

Position::Position(Question question, LayoutCache& cache, Budget budget)
    : question_(std::move(question)),
      cache_(cache),
      budget_(budget),
      settler_(question_.evidence(), KnownCells(question_.evidence())),
      builder_(*question_.topology) {
    checkpoint(topology().cells());
    part_of_.assign(question_.cells.size(), -1);
    box_of_.assign(question_.cells.size(), -1);
    const auto evidence = question_.evidence();
    for (std::int32_t cell = 0; cell < topology().cells(); ++cell) {
        if (cell::is_closed(question_.cells[at(cell)]) && knowledge(cell) != Knowledge::unknown)
            certain_.push_back(cell);
        if (evidence.counts_as_clue(cell)) add_clue(cell);
    }
    possible_ = rebuild(settle());
    commit();
}

void Position::add_clue(std::int32_t cell) {
    fresh_.push_back(cell);
    if (!settler_.add(cell)) clash_ = true;
}

bool Position::move(std::span<const Seen> changes) {
    assert(possible_);
    levels_.push_back(
        {changes_.size(), removed_.size(), added_.size(), certain_.size(), possible_});
    try {
        for (const auto& change : changes)
            see(change);
        possible_ = rebuild(settle());
    } catch (...) {  // counting was stopped
        undo();
        throw;
    }
    return possible_;
}

void Position::see(Seen change) {
    const auto cell = change.cell;
    auto& code = question_.cells[at(cell)];
    const auto known = knowledge(cell);
    assert(cell::is_closed(code) || code == cell::pending);
    changes_.push_back({cell, code, known});
    const bool mined =
        change.code == cell::exploded || (change.code == cell::flagged && question_.trust_flags);
    const bool closed = change.code == cell::closed || change.code == cell::flagged;
    code = change.code;
    if (mined || !closed) {
        const auto wanted = mined ? Knowledge::mined : Knowledge::safe;
        if (is_unknown(known)) {
            touch(cell);
            settler_.settle(cell, wanted);
            if (cell::is_closed(code)) certain_.push_back(cell);
        } else if (known != wanted) {
            clash_ = true;
        }
    }
    if (!question_.evidence().counts_as_clue(cell)) return;
    add_clue(cell);
    for (const auto other : topology().neighbours(cell))
        touch(other);
}

// The component of the cell has to be formed again.
void Position::touch(std::int32_t cell) {
    if (knowledge(cell) != Knowledge::boxed) return;
    auto& part = parts_[at(part_of_[at(cell)])];
    if (part.dirty) return;
    part.dirty = true;
    dirty_.push_back(part_of_[at(cell)]);
}

// Settles what single clues imply. Returns false on a clash.
bool Position::settle() {
    if (std::exchange(clash_, false)) {
        settler_.stop();
        return false;
    }
    // Step 1.1, continued from the last position.
    const auto wrong = settler_.run([&](std::int32_t cell, Knowledge) {
        changes_.push_back({cell, question_.cells[at(cell)], knowledge(cell)});
        touch(cell);
        certain_.push_back(cell);
    });
    return !wrong;
}

// Forms the components again that lost a cell or got a clue. If nothing fits, only removes them.
bool Position::rebuild(bool fits) {
    gathered_.clear();
    const auto gather = [&](std::span<const std::int32_t> clues) {
        for (const auto clue : clues)
            if (fits && settler_.reader().informs(settler_.read(clue))) gathered_.push_back(clue);
    };
    gather(fresh_);
    fresh_.clear();
    for (const auto id : dirty_) {
        gather(parts_[at(id)].readings);
        deactivate(id);
        removed_.push_back(id);
    }
    dirty_.clear();
    if (!fits || gathered_.empty()) return fits;
    // Steps 1.2 to 1.4, for the clues of these components only.
    std::ranges::sort(gathered_);
    for (const auto clue : gathered_)
        builder_.clues().push_back(settler_.reader().clue_of(settler_.read(clue)));
    auto& knowledge = settler_.knowledge();
    if (builder_.build(knowledge, built_)) {
        for (const auto clue : gathered_)
            for (const auto cell : topology().neighbours(clue))
                if (knowledge[at(cell)] == Knowledge::boxed)
                    knowledge[at(cell)] = Knowledge::unknown;
        return false;
    }
    return add_parts();
}

bool Position::add_parts() {
    bool fits = true;
    const auto first_added = added_.size();
    for (std::size_t i = 0; i < built_.size(); ++i) {
        const auto id = new_part();
        auto& part = parts_[at(id)];
        const auto component = built_[i];
        part.boxes.assign(component.boxes.begin(), component.boxes.end());
        part.clues.assign(component.clues.begin(), component.clues.end());
        part.cells.clear();
        part.readings.clear();
        part.layouts = nullptr;
        for (auto& box : part.boxes) {
            const auto cells = component.cells_of(box);
            box.first = static_cast<std::int32_t>(part.cells.size());
            part.cells.insert(part.cells.end(), cells.begin(), cells.end());
        }
        place_cells(id);
        added_.push_back(id);
    }
    // Clues that were merged into equal ones belong to the component of their cells.
    for (const auto clue : gathered_)
        for (const auto cell : topology().neighbours(clue))
            if (knowledge(cell) == Knowledge::boxed) {
                parts_[at(part_of_[at(cell)])].readings.push_back(clue);
                break;
            }
    for (auto i = first_added; i < added_.size(); ++i)
        activate(added_[i]);
    // Steps 2 and 3.
    for (auto i = first_added; i < added_.size(); ++i)
        fits = count(parts_[at(added_[i])]) && fits;
    return fits;
}

std::int32_t Position::new_part() {
    if (free_.empty()) {
        parts_.emplace_back();
        return static_cast<std::int32_t>(parts_.size()) - 1;
    }
    const auto id = free_.back();
    free_.pop_back();
    return id;
}

// Returns false if nothing fits. A component that is too wide has no layouts.
bool Position::count(Part& part) {
    Counter counter({std::min(per_component.nodes, budget_.nodes),
                     std::min(per_component.bytes, budget_.bytes)},
                    &cache_, static_cast<double>(budget_.nodes));
    auto layouts = counter.count(Component{part.boxes, part.clues, part.cells});
    if (!layouts) return true;
    if (!layouts->possible()) return false;
    part.layouts = layouts_[at(part.rank)] = std::move(layouts);
    --uncounted_;
    return true;
}

void Position::place_cells(std::int32_t id) {
    const auto& part = parts_[at(id)];
    for (std::size_t b = 0; b < part.boxes.size(); ++b)
        for (std::int32_t i = 0; i < part.boxes[b].size; ++i) {
            const auto cell = part.cells[at(part.boxes[b].first + i)];
            part_of_[at(cell)] = id;
            box_of_[at(cell)] = static_cast<std::int32_t>(b);
        }
}

void Position::activate(std::int32_t id) {
    auto& part = parts_[at(id)];
    part.dirty = false;
    boxed_ += static_cast<std::int64_t>(part.cells.size());
    uncounted_ += !part.layouts;
    const auto place = std::ranges::upper_bound(
        active_, part.readings.front(), {},
        [&](std::int32_t other) { return parts_[at(other)].readings.front(); });
    const auto rank = place - active_.begin();
    active_.insert(place, id);
    layouts_.insert(layouts_.begin() + rank, part.layouts);
    rank_from(at(rank));
}

void Position::deactivate(std::int32_t id) {
    auto& part = parts_[at(id)];
    part.dirty = false;
    boxed_ -= static_cast<std::int64_t>(part.cells.size());
    uncounted_ -= !part.layouts;
    const auto rank = part.rank;
    active_.erase(active_.begin() + rank);
    layouts_.erase(layouts_.begin() + rank);
    rank_from(at(rank));
    for (const auto cell : part.cells)
        if (knowledge(cell) == Knowledge::boxed)
            settler_.knowledge()[at(cell)] = Knowledge::unknown;
}

void Position::rank_from(std::size_t begin) {
    for (auto rank = begin; rank < active_.size(); ++rank)
        parts_[at(active_[rank])].rank = static_cast<std::int32_t>(rank);
}

void Position::undo() {
    assert(!levels_.empty());
    const auto level = levels_.back();
    levels_.pop_back();
    for (; added_.size() > level.added; added_.pop_back()) {
        deactivate(added_.back());
        free_.push_back(added_.back());
    }
    for (; changes_.size() > level.changes; changes_.pop_back()) {
        const auto& [cell, code, before] = changes_.back();
        question_.cells[at(cell)] = code;
        settler_.remove(cell);
        if (is_unknown(before) && !is_unknown(knowledge(cell))) settler_.unsettle(cell);
    }
    for (; removed_.size() > level.removed; removed_.pop_back()) {
        const auto id = removed_.back();
        place_cells(id);
        for (const auto cell : parts_[at(id)].cells)
            settler_.knowledge()[at(cell)] = Knowledge::boxed;
        activate(id);
    }
    certain_.resize(level.certain);
    possible_ = level.possible;
}

void Position::commit() {
    levels_.clear();
    changes_.clear();
    free_.insert(free_.end(), removed_.begin(), removed_.end());
    removed_.clear();
    added_.clear();
    std::erase_if(certain_,
                  [&](std::int32_t cell) { return !cell::is_closed(question_.cells[at(cell)]); });
}

bool Position::follow(std::span<const std::int8_t> cells) {
    assert(cells.size() == question_.cells.size());
    checkpoint(static_cast<std::int64_t>(cells.size()));
    differences_.clear();
    const auto* now = question_.cells.data();
    const auto* next = cells.data();
    constexpr std::size_t block = 32;
    for (std::size_t begin = 0; begin < cells.size(); begin += block) {
        const auto end = std::min(begin + block, cells.size());
        if (std::memcmp(now + begin, next + begin, end - begin) == 0) continue;
        for (auto i = begin; i < end; ++i) {
            if (now[i] == next[i]) continue;
            const bool may_change = now[i] == cell::closed ||
                                    (now[i] == cell::flagged && !question_.trust_flags) ||
                                    (now[i] == cell::known_safe && cell::is_open(next[i])) ||
                                    (now[i] == cell::pending && cell::is_open(next[i]));
            if (!may_change) return false;
            differences_.push_back({static_cast<std::int32_t>(i), next[i]});
        }
    }
    if (!differences_.empty()) move(differences_);
    commit();
    return true;
}

bool Position::within(Budget budget) const {
    std::int64_t bytes = 0;
    for (const auto& layouts : layouts_) {
        if (!layouts || !layouts->charge(budget)) return false;
        bytes = std::max(bytes, layouts->peak_bytes());
    }
    return bytes <= budget.bytes;
}

Component Position::component(std::size_t index) const {
    const auto& part = parts_[at(active_[index])];
    return {part.boxes, part.clues, part.cells};
}

Outside Position::outside() const {
    return {question_.prior, interior(), known_mines(),
            static_cast<std::int64_t>(question_.cells.size())};
}

Frontier Position::frontier() const {
    Components all;
    for (const auto id : active_) {
        const auto& part = parts_[at(id)];
        const auto boxes = static_cast<std::int32_t>(all.boxes.size());
        const auto clues = static_cast<std::int32_t>(all.clues.size());
        const auto cells = static_cast<std::int32_t>(all.cells.size());
        all.boxes.insert(all.boxes.end(), part.boxes.begin(), part.boxes.end());
        all.clues.insert(all.clues.end(), part.clues.begin(), part.clues.end());
        all.cells.insert(all.cells.end(), part.cells.begin(), part.cells.end());
        for (auto box = all.boxes.begin() + boxes; box != all.boxes.end(); ++box)
            box->first += cells;
        all.ranges.push_back({boxes, static_cast<std::int32_t>(all.boxes.size()), clues,
                              static_cast<std::int32_t>(all.clues.size())});
    }
    std::vector<std::int32_t> safe, mined;
    known(safe, mined);
    std::erase_if(safe,
                  [&](std::int32_t cell) { return question_.cells[at(cell)] == cell::known_safe; });
    return {known_.knowledge, std::move(all), std::move(safe),
            std::move(mined), interior(),     known_mines()};
}

bool Position::total_is_slack() const {
    if (question_.prior.kind != Prior::Kind::total) return true;
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    for (const auto& layouts : layouts_) {
        fewest += layouts->total().fewest;
        most += layouts->total().most();
    }
    const auto left = question_.prior.mines - known_mines();
    const auto least = left - interior();
    if (fewest < least || most > left) return false;
    // All interior cells are certain if every layout leaves all or none of them mined.
    return interior() == 0 || fewest < most || (most < left && fewest > least);
}

// Whether a certain cell is closed, and not a mine that was told.
bool Position::is_news(std::int32_t cell) const {
    const auto code = question_.cells[at(cell)];
    return cell::is_closed(code) && !(code == cell::flagged && question_.trust_flags);
}

void Position::known(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mined) const {
    for_each_known([&](std::int32_t cell, Knowledge what) {
        (what == Knowledge::mined ? mined : safe).push_back(cell);
    });
}

void Position::settled(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mined) const {
    known(safe, mined);
    for (std::size_t i = 0; i < active_.size(); ++i) {
        if (!layouts_[i]) continue;
        const auto& part = parts_[at(active_[i])];
        const auto& ranges = layouts_[i]->box_ranges();
        for (std::size_t b = 0; b < part.boxes.size(); ++b) {
            if (!ranges[b].certain()) continue;
            const auto cells =
                Component{part.boxes, part.clues, part.cells}.cells_of(part.boxes[b]);
            auto& list = ranges[b].mine ? mined : safe;
            list.insert(list.end(), cells.begin(), cells.end());
        }
    }
}

}  // namespace mineproof
