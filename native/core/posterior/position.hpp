// A position that moves: cells are opened and taken back, and only what they touch is counted
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "counting/components.hpp"
#include "counting/counter.hpp"
#include "counting/frontier.hpp"
#include "counting/settler.hpp"
#include "posterior/combination.hpp"
#include "posterior/conclusion.hpp"
#include "posterior/outside.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// What is seen of a cell.
struct Seen {
    std::int32_t cell;
    std::int8_t code;
};

// Components are the same as those of a fresh frontier, in the same order, so answers are the same
// too. Not for several threads at once.
class Position {
  public:
    // The cache must outlive the position. A component that would use much of the budget is not
    // counted.
    Position(Question question, LayoutCache& cache, Budget budget = {});
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;

    const Topology& topology() const { return *question_.topology; }
    // The codes that are seen now.
    const std::vector<std::int8_t>& cells() const { return question_.cells; }
    const Question& question() const { return question_; }

    // Changes what is seen: closed cells may be opened, flagged or become known to be safe, and
    // pending clues may arrive. Returns false if no layout fits, as far as can be told without the
    // total; such a move can only be undone.
    bool move(std::span<const Seen> changes);
    bool open(std::int32_t cell, std::int8_t code) {
        const Seen change{cell, code};
        return move({&change, 1});
    }
    // Takes back the last move.
    void undo();
    std::size_t moves() const { return levels_.size(); }
    // Forgets how to undo, and frees what that takes.
    void commit();
    // Whether the codes can be reached by `move`; if so, moves there and commits.
    bool follow(std::span<const std::int8_t> cells);

    // Whether no contradiction was found, apart from the total.
    bool possible() const { return possible_; }
    // Whether every component is counted. If not, only `settled` cells and components are known.
    bool counted() const { return uncounted_ == 0; }
    // Whether the components could be counted one after the other within one budget.
    bool within(Budget budget) const;

    // The components, in the order of their first clues.
    std::size_t components() const { return active_.size(); }
    Component component(std::size_t index) const;
    Parts layouts() const { return layouts_; }
    Outside outside() const;
    // The same as a fresh frontier.
    Frontier frontier() const;

    std::int64_t interior() const { return known_.unknown - boxed_; }
    std::int64_t known_mines() const { return known_.mined; }
    Knowledge knowledge(std::int32_t cell) const { return known_.knowledge[at(cell)]; }
    std::span<const Knowledge> knowledge() const { return known_.knowledge; }
    // Where a boxed cell is.
    BoxPlace place(std::int32_t cell) const {
        return {parts_[at(part_of_[at(cell)])].rank, box_of_[at(cell)]};
    }

    // Whether every total of every component is possible together with the others and the outside.
    // Then the total settles nothing.
    bool total_is_slack() const;
    // Calls `use(cell, knowledge)` for the closed cells that are known or that single clues settle,
    // in no particular order, without trusted flags.
    template <class Use>
    void for_each_known(Use use) const {
        for (const auto cell : certain_)
            if (is_news(cell)) use(cell, knowledge(cell));
    }
    // Appends the same cells.
    void known(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mined) const;
    // Appends all closed cells that are certain whatever the total is.
    void settled(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mined) const;

  private:
    static constexpr Budget per_component{20'000'000, std::int64_t{1} << 28};

    struct Part {
        std::vector<Box> boxes;
        std::vector<Clue> clues;
        std::vector<std::int32_t> cells;
        std::vector<std::int32_t> readings;  // cells of all its clues, equal ones included
        std::shared_ptr<const Layouts> layouts;
        std::int32_t rank = -1;  // its place among the active ones, or -1
        bool dirty = false;
    };
    struct Change {
        std::int32_t cell;
        std::int8_t code;
        Knowledge knowledge;
    };
    struct Level {
        std::size_t changes, removed, added, certain;
        bool possible;
    };

    bool is_news(std::int32_t cell) const;
    void see(Seen change);
    void add_clue(std::int32_t cell);
    void touch(std::int32_t cell);
    bool settle();
    bool rebuild(bool fits);
    bool add_parts();
    std::int32_t new_part();
    void place_cells(std::int32_t id);
    void activate(std::int32_t id);
    void deactivate(std::int32_t id);
    void rank_from(std::size_t begin);
    bool count(Part& part);

    Question question_;
    LayoutCache& cache_;
    Budget budget_;
    Settler settler_;
    const KnownCells& known_ = settler_.known();
    ComponentBuilder builder_;

    std::vector<std::int32_t> part_of_, box_of_;  // by cell: valid if boxed
    std::int64_t boxed_ = 0;
    bool possible_ = true;
    bool clash_ = false;  // a cell was settled otherwise, or a clue is wrong
    std::int32_t uncounted_ = 0;

    std::vector<Part> parts_;
    std::vector<std::int32_t> free_;
    std::vector<std::int32_t> active_;                     // by first clue
    std::vector<std::shared_ptr<const Layouts>> layouts_;  // parallel to active_

    std::vector<Level> levels_;
    std::vector<Change> changes_;
    std::vector<std::int32_t> removed_, added_;
    std::vector<std::int32_t> certain_;  // cells settled by single clues, oldest first

    // Scratch memory of a move.
    std::vector<std::int32_t> fresh_, dirty_, gathered_;
    Components built_;
    std::vector<Seen> differences_;
};

// Calls `use(cell, risk)` for the cells of wanted risks that no single clue settles.
template <class Wanted, class Use>
void for_each_unknown(const Position& position, const Conclusion& conclusion, Wanted wanted,
                      Use use) {
    auto risk = conclusion.box_risk.begin();
    for (std::size_t i = 0; i < position.components(); ++i) {
        const auto component = position.component(i);
        for (const auto& box : component.boxes)
            if (const auto value = *risk++; wanted(value))
                for (const auto place : component.cells_of(box))
                    use(place, value);
    }
    if (position.interior() == 0 || !wanted(conclusion.interior_risk)) return;
    for (std::int32_t place = 0; place < position.topology().cells(); ++place)
        if (position.knowledge(place) == Knowledge::unknown) use(place, conclusion.interior_risk);
}

}  // namespace mineproof
