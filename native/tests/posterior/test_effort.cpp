// The cost of answers: computed by hand for small boards, and the same with or without a cache.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "counting/layout_cache.hpp"
#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr std::int64_t transition = 16 + 1;  // the cost of a transition with one product

Question row(std::string_view text) {
    std::vector<std::int8_t> cells;
    for (const auto symbol : text)
        cells.push_back(symbol == '.' ? cell::closed : static_cast<std::int8_t>(symbol - '0'));
    return {rectangle(1, static_cast<int>(cells.size())), cells, {}, exact_channel(), false};
}

bool costs(const Question& question, std::size_t components, int cells, int width,
           std::int64_t transitions) {
    const auto effort = Posterior(question, {}, Precision::exact_only).effort();
    return effort.components == components && effort.cells == cells && effort.width == width &&
           effort.work == transitions * transition;
}

void small_rows_cost_what_they_must() {
    CHECK(costs(row("00"), 0, 0, 0, 0));
    CHECK(costs(row("1..."), 0, 0, 0, 0));     // a single clue settles it
    CHECK(costs(row(".1."), 1, 2, 1, 1));      // a box of two cells that hold one mine
    CHECK(costs(row(".1..1."), 2, 2, 1, 2));   // the same twice
    CHECK(costs(row(".1.1."), 1, 3, 2, 6));    // one cell at a time, with two ways for the rest
    CHECK(costs(row(".1.1.1."), 1, 4, 2, 8));  // a longer row, but no wider
}

Question scattered(std::uint64_t seed, const std::shared_ptr<const Channel>& channel) {
    const auto topology = rectangle(10, 10);
    return {topology, scattered_position(*topology, 0.2, 0.35, seed).cells, {}, channel, false};
}

bool same(const Effort& a, const Effort& b) {
    return a.components == b.components && a.cells == b.cells && a.width == b.width &&
           a.work == b.work;
}

void a_cache_spares_no_effort() {
    for (const auto& channel : {exact_channel(), optimistic_channel()}) {
        LayoutCache cache;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto question = scattered(seed, channel);
            const auto alone = Posterior(question, {}, Precision::exact_only).effort();
            for (int again = 0; again < 2; ++again)
                CHECK(same(alone, Posterior(question, {}, Precision::exact_only, &cache).effort()));
        }
    }
}

void work_is_the_least_budget_that_suffices() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto question = scattered(seed, exact_channel());
        const auto work = *Posterior(question, {}, Precision::exact_only).effort().work;
        CHECK(Posterior(question, {.nodes = work}, Precision::exact_only).exact());
        if (work > 0)
            CHECK_THROWS(Posterior(question, {.nodes = work - 1}, Precision::exact_only),
                         BudgetExceeded);
    }
}

void an_estimate_tells_the_plan_but_no_work() {
    const auto question = scattered(1, optimistic_channel());
    const Posterior exact(question, {}, Precision::exact_only);
    const Posterior estimate(question, {.nodes = 1000}, Precision::may_estimate);
    CHECK(!estimate.exact());
    auto effort = exact.effort();
    effort.work = std::nullopt;
    CHECK(same(effort, estimate.effort()));
}

}  // namespace

SUITE("posterior/effort") {
    small_rows_cost_what_they_must();
    a_cache_spares_no_effort();
    work_is_the_least_budget_that_suffices();
    an_estimate_tells_the_plan_but_no_work();
}
