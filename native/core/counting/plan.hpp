// The order in which a component's boxes are added and its clues are closed. It decides the cost of
// counting: a table needs one state per combination of partial sums of its open clues, and a good
// order keeps few clues open at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/frontier.hpp"

namespace mineproof {

// What a stage does to one clue: which partial sums are possible after it.
struct Touch {
    std::int32_t clue;
    std::int32_t slot;  // position of the partial sum in a state's key
    std::int8_t least;
    std::int8_t most;
    bool closes;  // the table contains every box of the clue
};

// One stage makes one table: it adds a box to the table of `left`, or joins it with that of
// `right`.
struct Stage {
    std::int32_t left = -1;   // an earlier stage, or -1 for the empty table
    std::int32_t right = -1;  // an earlier stage, or -1
    std::int32_t box = -1;    // a box, if `right` is -1
    std::int32_t touch_begin = 0;
    std::int32_t touch_end = 0;
    std::int32_t open_begin = 0;  // clues open after the stage
    std::int32_t open_end = 0;
};

struct Plan {
    std::vector<Stage> stages{};  // the last one makes the table of the whole component
    std::vector<Touch> touches{};
    std::vector<std::int32_t> open{};
    int slots = 0;      // partial sums in a state's key
    double cost = 0.0;  // a rough upper bound on the number of transitions

    // The most clues open at the same time. If there are no stages, more than any plan may have.
    int width() const;

    std::span<const Touch> touches_of(const Stage& stage) const {
        return std::span(touches).subspan(
            static_cast<std::size_t>(stage.touch_begin),
            static_cast<std::size_t>(stage.touch_end - stage.touch_begin));
    }
    std::span<const std::int32_t> open_after(const Stage& stage) const {
        return std::span(open).subspan(static_cast<std::size_t>(stage.open_begin),
                                       static_cast<std::size_t>(stage.open_end - stage.open_begin));
    }
};

// The best plan found. It searches longer for components that cost more, up to what is affordable.
// There are no stages if the component is too wide for any budget.
Plan make_plan(const Component& component, double affordable);

// The plan that closes the clues in a given order.
Plan plan_in_order(const Component& component, std::span<const std::int32_t> clue_order);

}  // namespace mineproof
