// The order in which a component's boxes are taken in and its clues are closed. It decides the cost
// of everything after it: layouts are counted with one number per combination of partial sums of
// the clues that are open at the same time, and a good order keeps few of them open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/frontier.hpp"

namespace mineproof {

// What a step does to one clue: the partial sums that may stand after it.
struct Touch {
    std::int32_t clue;
    std::int32_t slot;  // where the partial sum lives in a state's key
    std::int8_t least;
    std::int8_t most;
    bool closes;  // every box of the clue is in
};

// One step makes a table: the table of `left` with a box taken in, or joined with that of `right`.
struct Step {
    std::int32_t left = -1;   // an earlier step, or -1 for the empty table
    std::int32_t right = -1;  // an earlier step, or -1
    std::int32_t box = -1;    // a box, where `right` is -1
    std::int32_t touch_begin = 0;
    std::int32_t touch_end = 0;
    std::int32_t open_begin = 0;  // clues open after the step
    std::int32_t open_end = 0;
};

struct Plan {
    std::vector<Step> steps{};  // the last one holds the whole component
    std::vector<Touch> touches{};
    std::vector<std::int32_t> open{};
    int slots = 0;      // partial sums held at once
    double cost = 0.0;  // a guess at the number of moves, an upper bound in spirit

    // The most clues open at once; without steps, more than any plan may hold.
    int width() const;

    std::span<const Touch> touches_of(const Step& step) const {
        return std::span(touches).subspan(
            static_cast<std::size_t>(step.touch_begin),
            static_cast<std::size_t>(step.touch_end - step.touch_begin));
    }
    std::span<const std::int32_t> open_after(const Step& step) const {
        return std::span(open).subspan(static_cast<std::size_t>(step.open_begin),
                                       static_cast<std::size_t>(step.open_end - step.open_begin));
    }
};

// The best plan found; the more the component will cost, up to what is affordable, the longer it
// looks. Without steps if the component is hopelessly wide.
Plan make_plan(const Component& component, double affordable);

// The plan that closes the clues in a given order.
Plan plan_in_order(const Component& component, std::span<const std::int32_t> clue_order);

}  // namespace mineproof
