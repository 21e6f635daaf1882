// Frontiers that are expensive to count: wide boards, small budgets, estimates.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "counting/clue_order.hpp"
#include "counting/frontier.hpp"
#include "counting/layouts.hpp"
#include "counting/plan.hpp"
#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr int wide_boards = 6;  // per share of revealed cells

Question scattered(int rows, int cols, double density, double revealed, std::uint64_t seed) {
    const auto topology = rectangle(rows, cols);
    const auto position = scattered_position(*topology, density, revealed, seed);
    const auto mines = std::count(position.mines.begin(), position.mines.end(), 1);
    return {topology, position.cells, {Prior::Kind::total, mines, 0.0}, exact_channel(), false};
}

double sum_of_risks(const Question& question, const Posterior& posterior) {
    double sum = 0.0;
    for (std::size_t c = 0; c < question.cells.size(); ++c)
        if (cell::is_closed(question.cells[c])) sum += posterior.risk()[c];
    return sum;
}

void wide_boards_are_counted(int rows, int cols, double density, double revealed) {
    for (std::uint64_t seed = 0; seed < wide_boards; ++seed) {
        const auto question = scattered(rows, cols, density, revealed, seed);
        const Posterior posterior(question, {}, Precision::exact_only);
        CHECK(posterior.exact() && posterior.standard_error().empty());
        CHECK(std::abs(sum_of_risks(question, posterior) -
                       static_cast<double>(question.prior.mines)) < 1e-7);
        CHECK(std::abs(posterior.expected_mines() - static_cast<double>(question.prior.mines)) <
              1e-7);
        const auto mines = scattered_position(*question.topology, density, revealed, seed).mines;
        for (const auto c : posterior.safe())
            CHECK(!mines[at(c)]);
        for (const auto c : posterior.mined())
            CHECK(mines[at(c)]);
    }
}

enum class Answer { exact, estimate, refused };

Answer ask(const Question& question, Budget budget, Precision precision, const Posterior& truth) {
    try {
        const Posterior posterior(question, budget, precision);
        double farthest = 0.0;
        for (std::size_t c = 0; c < question.cells.size(); ++c) {
            if (!cell::is_closed(question.cells[c])) continue;
            const double off = std::abs(posterior.risk()[c] - truth.risk()[c]);
            CHECK(0.0 <= posterior.risk()[c] && posterior.risk()[c] <= 1.0);
            if (posterior.exact()) {
                CHECK(off < 1e-12);
                continue;
            }
            CHECK(posterior.standard_error()[c] >= 0.0);
            farthest = std::max(farthest, off / (posterior.standard_error()[c] + 1e-3));
        }
        if (posterior.exact()) return Answer::exact;
        CHECK(precision == Precision::may_estimate);
        CHECK(farthest < 8.0);
        CHECK(std::abs(posterior.expected_mines() - sum_of_risks(question, posterior)) < 1e-6);
        // Only what was counted may be certain.
        CHECK(std::ranges::includes(truth.safe(), posterior.safe()));
        CHECK(std::ranges::includes(truth.mined(), posterior.mined()));
        CHECK_THROWS(posterior.total_distribution(), BudgetExceeded);
        CHECK_THROWS(posterior.sample(1, 1), BudgetExceeded);
        CHECK_THROWS(posterior.clue_chances(0), BudgetExceeded);
        return Answer::estimate;
    } catch (const BudgetExceeded&) {
        return Answer::refused;
    }
}

// Budgets from none to plenty give an exact answer, an estimate or an error.
void small_budgets_never_break() {
    int exact = 0;
    int estimates = 0;
    Random random(1);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const int side = seed % 2 == 0 ? 9 : 15;
        auto question = scattered(side, side, 0.2, 0.2 + 0.3 * random.uniform(), seed);
        question.prior.kind = static_cast<Prior::Kind>(seed % 3);
        question.prior.density = 0.2;
        const Posterior truth(question, {}, Precision::exact_only);
        CHECK(truth.components() > 0);
        for (const std::int64_t nodes : {0, 1, 50, 400, 1000, 5000, 30'000, 1'000'000}) {
            const Budget budget{nodes, std::int64_t{1} << 30};
            const auto answer = ask(question, budget, Precision::may_estimate, truth);
            exact += answer == Answer::exact;
            estimates += answer == Answer::estimate;
            const auto strict = ask(question, budget, Precision::exact_only, truth);
            CHECK(strict == (answer == Answer::exact ? Answer::exact : Answer::refused));
        }
        for (const std::int64_t bytes : {0, 100, 4000, 40'000, 1'000'000})
            ask(question, {30'000'000, bytes}, Precision::may_estimate, truth);
        CHECK(ask(question, {0, 0}, Precision::exact_only, truth) == Answer::refused);
    }
    CHECK(exact > 0 && estimates > 0);
}

// The clue chances of an exact posterior need no more of the budget.
void chances_within_a_small_budget() {
    const auto question = scattered(9, 9, 0.2, 0.3, 3);
    const Posterior truth(question, {}, Precision::exact_only);
    for (std::int64_t nodes = 100; nodes < 100'000; nodes *= 2) {
        std::optional<Posterior> posterior;
        try {
            posterior.emplace(question, Budget{nodes, std::int64_t{1} << 30},
                              Precision::exact_only);
        } catch (const BudgetExceeded&) {
            continue;
        }
        for (std::int32_t c = 0; c < question.topology->cells(); c += 5)
            if (cell::is_closed(question.cells[at(c)]))
                CHECK(posterior->clue_chances(c) == truth.clue_chances(c));
    }
}

int slots_per_word(const Component& component) {
    int largest = 1;
    for (const auto& clue : component.clues)
        largest = std::max<int>(largest, clue.most);
    return 64 / (static_cast<int>(std::bit_width(static_cast<unsigned>(largest))) + 1);
}

// Counts the same component in two orders: a good one, and a sweep with more clues open at the same
// time than one word can hold.
void wide_keys_count_the_same() {
    const auto question = scattered(24, 24, 0.3, 0.3, 3);
    const auto evidence = question.evidence();
    const Frontier frontier(evidence);
    int wide = 0;
    for (std::size_t i = 0; i < frontier.components(); ++i) {
        const auto component = frontier.component(i);
        const auto plan = make_plan(component, 1e9);
        const ClueGraph graph(component);
        const auto sweep = plan_in_order(component, graph.sweep(graph.sweep(0).back()));
        if (sweep.slots <= slots_per_word(component)) continue;
        ++wide;
        Budget budget, other_budget;
        const auto layouts = Layouts::count(component, plan, budget);
        const auto other = Layouts::count(component, sweep, other_budget);
        CHECK(layouts && other);
        if (!layouts || !other) return;
        CHECK(layouts->total().fewest == other->total().fewest);
        CHECK(layouts->counts_modulo(2147483647) == other->counts_modulo(2147483647));
        CHECK(layouts->total_support() == other->total_support());
        const std::vector<Wide> even(layouts->total().weight.size(), Wide::of(1.0));
        const auto values = layouts->box_values(even);
        const auto other_values = other->box_values(even);
        for (std::size_t v = 0; v < values.size(); ++v)
            CHECK(std::abs(values[v] - other_values[v]) <= 1e-9 * std::abs(values[v]));
    }
    CHECK(wide > 0);
}

}  // namespace

SUITE("posterior/budgets") {
    wide_boards_are_counted(16, 30, 0.2, 0.2);
    wide_boards_are_counted(16, 30, 0.2, 0.3);
    wide_boards_are_counted(16, 30, 0.2, 0.4);
    wide_boards_are_counted(30, 30, 0.2, 0.4);
    small_budgets_never_break();
    chances_within_a_small_budget();
    wide_keys_count_the_same();
}
