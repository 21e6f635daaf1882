#include "counting/marked_totals.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "counting/rings.hpp"

namespace mineproof {

namespace {

constexpr std::int64_t unaffected = -1;

// The share of the choices of mines in a box that has `counted` mines at the counted cells and none
// at the free ones.
double share(int size, int mines, const Marked& marked, int counted) {
    const int others = size - marked.counted - marked.free;
    if (counted > mines || mines - counted > others) return 0.0;
    return choose(marked.counted, counted) * choose(others, mines - counted) / choose(size, mines);
}

double relative(double weight, Wide unit) {
    return ratio(Wide::of(weight), unit);
}
double relative(Wide weight, Wide unit) {
    return ratio(weight, unit);
}

}  // namespace

MarkedTotals::MarkedTotals(const Layouts& layouts)
    : layouts_(layouts),
      unit_(std::ranges::max(layouts.total().weight, std::less<>{})),
      table_of_box_(layouts.boxes(), -1),
      parent_(layouts.tables_.size(), -1),
      shift_(layouts.tables_.size(), unaffected) {
    for (std::size_t id = 0; id < layouts.tables_.size(); ++id) {
        const auto& table = layouts.tables_[id];
        const auto number = static_cast<std::int32_t>(id);
        if (table.left >= 0) parent_[at(table.left)] = number;
        if (table.right >= 0) parent_[at(table.right)] = number;
        if (table.box >= 0) table_of_box_[at(table.box)] = number;
    }
}

void MarkedTotals::mark_tables(std::span<const Marked> marked) {
    affected_.clear();
    for (const auto& mark : marked)
        for (auto table = table_of_box_[at(mark.box)]; table >= 0 && shift_[at(table)] < 0;
             table = parent_[at(table)]) {
            affected_.push_back(table);
            shift_[at(table)] = 0;
        }
    std::ranges::sort(affected_);
}

std::span<const double> MarkedTotals::count(std::span<const Marked> marked) {
    const auto& total = layouts_.total();
    std::size_t width = 1;
    for (const auto& mark : marked)
        width += at(mark.counted);
    result_.assign(total.weight.size() * width, 0.0);
    mark_tables(marked);
    const auto finish = [&](const auto& values) {
        const auto last = layouts_.tables_.size() - 1;
        for (const auto& root : layouts_.roots_) {
            const auto& state = layouts_.states_[at(root.state)];
            const auto skip = at(state.fewest - total.fewest) * width;
            const auto first = at(static_cast<std::int64_t>(state.offset) - shift_[last]) * width;
            for (std::size_t i = 0; i < at(state.length) * width; ++i)
                result_[skip + i] += relative(values[first + i], unit_);
        }
    };
    if (affected_.empty()) {
        for (std::size_t i = 0; i < total.weight.size(); ++i)
            result_[i] = ratio(total.weight[i], unit_);
    } else if (layouts_.wide_) {
        evaluate(WideRing{}, std::span(layouts_.wide_weights_), marked, width, wide_values_);
        finish(wide_values_);
    } else {
        evaluate(RealRing{}, std::span(layouts_.weights_), marked, width, values_);
        finish(values_);
    }
    for (const auto table : affected_)
        shift_[at(table)] = unaffected;
    return result_;
}

template <class Ring>
void MarkedTotals::evaluate(const Ring& ring, std::span<const typename Ring::Value> ahead,
                            std::span<const Marked> marked, std::size_t width,
                            std::vector<typename Ring::Value>& values) {
    using Value = typename Ring::Value;
    // A state's values start at (offset - shift) * width. They are by mines, then by counted mines.
    std::int64_t end = 0;
    for (const auto id : affected_) {
        const auto& table = layouts_.tables_[at(id)];
        const auto& first = layouts_.states_[table.state_begin];
        const auto& last = layouts_.states_[table.state_end - 1];
        shift_[at(id)] = static_cast<std::int64_t>(first.offset) - end;
        end += static_cast<std::int64_t>(last.offset) + last.length - first.offset;
    }
    values.assign(at(end) * width, Value{});
    struct Operand {
        const Value* values;
        std::size_t step, width;  // values per number of mines, and how many may be positive
    };
    const auto operand = [&](std::int32_t table, const Layouts::State& state) -> Operand {
        if (table < 0 || shift_[at(table)] == unaffected)
            return {ahead.data() + state.offset, 1, 1};
        const auto first = at(static_cast<std::int64_t>(state.offset) - shift_[at(table)]);
        return {values.data() + first * width, width, width};
    };
    const auto add = [&](Value* to, const Operand& from, std::int32_t i, const Value* factor,
                         std::size_t terms) {
        const auto* value = from.values + at(i) * from.step;
        for (std::size_t j = 0; j < terms; ++j)
            for (std::size_t k = 0; k < from.width && j + k < width; ++k)
                to[j + k] = ring.add_product(to[j + k], factor[j], value[k]);
    };
    Work work;
    for (const auto id : affected_) {
        const auto& table = layouts_.tables_[at(id)];
        const Marked* mark = nullptr;
        for (const auto& candidate : marked)
            if (candidate.box == table.box) mark = &candidate;
        for (const auto& transition : layouts_.transitions_of(table)) {
            const auto& left = layouts_.states_[at(transition.left)];
            const auto& out = layouts_.states_[at(transition.out)];
            const auto from = operand(table.left, left);
            auto* const start =
                values.data() + at(static_cast<std::int64_t>(out.offset) - shift_[at(id)]) * width;
            const auto weight = ring.from_weight(transition.weight());
            if (table.box >= 0) {
                std::array<Value, max_degree + 1> factor{weight};
                std::size_t terms = 1;
                if (mark) {
                    const int size = layouts_.box_size(at(table.box));
                    terms = at(mark->counted) + 1;
                    for (std::size_t j = 0; j < terms; ++j)
                        factor[j] = ring.product(
                            weight, ring.from_weight(Wide::of(share(size, transition.right, *mark,
                                                                    static_cast<int>(j)))));
                }
                auto* to = start + at(left.fewest + transition.right - out.fewest) * width;
                for (std::int32_t a = 0; a < left.length; ++a, to += width)
                    add(to, from, a, factor.data(), terms);
                work.add(left.length);
                continue;
            }
            const auto& right = layouts_.states_[at(transition.right)];
            const auto with = operand(table.right, right);
            std::array<Value, max_degree + 1> factor{};
            for (std::int32_t a = 0; a < left.length; ++a) {
                for (std::size_t j = 0; j < from.width; ++j)
                    factor[j] = ring.product(weight, from.values[at(a) * from.step + j]);
                auto* to = start + at(left.fewest + a + right.fewest - out.fewest) * width;
                for (std::int32_t b = 0; b < right.length; ++b, to += width)
                    add(to, with, b, factor.data(), from.width);
            }
            work.add(std::int64_t{left.length} * right.length);
        }
    }
}

}  // namespace mineproof
