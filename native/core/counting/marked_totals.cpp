#include "counting/marked_totals.hpp"

#include <algorithm>
#include <array>

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

// A polynomial in the mines among the counted cells.
template <class Term>
struct Row {
    Term* term;
    std::size_t terms;
};

// The weights of a state, a row for every number of mines.
template <class Term>
struct Rows {
    Row<Term> operator[](std::int32_t i) const { return {first + at(i) * step, terms}; }

    Term* first;
    std::size_t step, terms;
};

// Polynomials over another arithmetic. Terms that a sum has no room for are zero.
template <class Ring>
struct MarkedRing {
    using Value = typename Ring::Value;
    struct Factor {
        std::array<Value, max_degree + 1> term;
        std::size_t terms;
    };

    Value from_weight(Wide weight) const { return ring.from_weight(weight); }
    Factor box_factor(Wide weight, int size, int mines) const {
        Factor factor;
        factor.terms = mark ? at(mark->counted) + 1 : 1;
        factor.term[0] = from_weight(weight);
        if (!mark) return factor;
        for (auto k = mark->counted; k >= 0; --k)
            factor.term[at(k)] =
                ring.product(factor.term[0], from_weight(Wide::of(share(size, mines, *mark, k))));
        return factor;
    }
    Factor product(Value weight, Row<const Value> row) const {
        Factor factor;
        factor.terms = row.terms;
        for (std::size_t k = 0; k < row.terms; ++k)
            factor.term[k] = ring.product(weight, row.term[k]);
        return factor;
    }
    void add_product(Row<Value> sum, const Factor& factor, Row<const Value> row) const {
        for (std::size_t j = 0; j < factor.terms; ++j)
            for (std::size_t k = 0; k < row.terms && j + k < sum.terms; ++k)
                ring.add_product(sum.term[j + k], factor.term[j], row.term[k]);
    }

    Ring ring;
    const Marked* mark;  // of the box that is added, or null
};

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

// Where the weights of the states are: as they were counted if no marked box affects their table.
template <class Value>
struct MarkedTotals::Lines {
    Rows<const Value> from(std::int32_t table, const Layouts::State& state) const {
        if (table < 0 || shift[at(table)] == unaffected) return {counted + state.offset, 1, 1};
        return {place(state, shift[at(table)]), width, width};
    }
    Rows<Value> to(const Layouts::State& state) const {
        return {place(state, own_shift), width, width};
    }
    Value* place(const Layouts::State& state, std::int64_t shifted) const {
        return values + at(static_cast<std::int64_t>(state.offset) - shifted) * width;
    }

    std::span<const std::int64_t> shift;
    const Value* counted;
    Value* values;
    std::size_t width;
    std::int64_t own_shift = 0;  // of the table that is evaluated
};

// Calls `take` with the weights by mines, then by counted mines.
template <class Take>
void MarkedTotals::evaluate(std::span<const Marked> marked, Take take) {
    std::size_t width = 1;
    for (const auto& mark : marked)
        width += at(mark.counted);
    mark_tables(marked);
    layouts_.with_weights([&]<class Ring>(const Ring& ring, auto counted) {
        using Value = typename Ring::Value;
        auto& values = std::get<std::vector<Value>>(values_);
        values.assign(place_tables() * width, Value{});
        Lines<Value> lines{shift_, counted.data(), values.data(), width};
        for (const auto id : affected_) {
            const auto& table = layouts_.tables_[at(id)];
            const auto mark = std::ranges::find(marked, table.box, &Marked::box);
            lines.own_shift = shift_[at(id)];
            layouts_.forward(table, MarkedRing<Ring>{ring, mark == marked.end() ? nullptr : &*mark},
                             lines);
        }
        const auto last = static_cast<std::int32_t>(layouts_.tables_.size()) - 1;
        const auto totals = lines.from(last, layouts_.root());
        for (std::size_t i = 0; i < at(layouts_.root().length) * width; ++i)
            take(totals.first[i]);
    });
    for (const auto table : affected_)
        shift_[at(table)] = unaffected;
}

// Finds room for the weights of the affected tables. Returns the number of their polynomials.
std::size_t MarkedTotals::place_tables() {
    std::int64_t end = 0;
    for (const auto id : affected_) {
        const auto& table = layouts_.tables_[at(id)];
        const auto& first = layouts_.states_[table.state_begin];
        const auto& last = layouts_.states_[table.state_end - 1];
        shift_[at(id)] = static_cast<std::int64_t>(first.offset) - end;
        end += static_cast<std::int64_t>(last.offset) + last.length - first.offset;
    }
    return at(end);
}

std::span<const double> MarkedTotals::count(std::span<const Marked> marked) {
    result_.clear();
    evaluate(marked, [&](auto weight) { result_.push_back(ratio(to_wide(weight), unit_)); });
    return result_;
}

std::vector<Wide> MarkedTotals::weigh(std::span<const Marked> marked) {
    std::vector<Wide> result;
    evaluate(marked, [&](auto weight) { result.push_back(to_wide(weight)); });
    return result;
}

}  // namespace mineproof
