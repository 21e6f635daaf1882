// Long boards of few rows, whose components are too large for plain doubles.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"
#include "tests/strip.hpp"

using namespace mineproof;

namespace {

constexpr int compared_cols = 640;  // more than 900 unknown cells in one component
constexpr int long_cols = 1500;

// What is true of every exact posterior, checked against the board.
void check_sane(const Posterior& posterior, const Deal& position) {
    CHECK(posterior.exact());
    double sum = 0.0;
    for (std::size_t c = 0; c < position.cells.size(); ++c) {
        const double risk = posterior.risk()[c];
        if (!cell::is_closed(position.cells[c])) {
            sum += position.cells[c] == cell::exploded;
            continue;
        }
        CHECK(0.0 <= risk && risk <= 1.0);
        sum += risk;
    }
    CHECK(std::abs(sum - posterior.expected_mines()) < 1e-9 * (1.0 + sum));
    for (const auto c : posterior.safe())
        CHECK(!position.mines[at(c)]);
    for (const auto c : posterior.mined())
        CHECK(position.mines[at(c)]);
    CHECK(std::isfinite(posterior.log_weight()));
    double chance = 0.0;
    double mean = 0.0;
    const auto totals = posterior.total_distribution();
    for (std::size_t m = 0; m < totals.size(); ++m) {
        chance += totals[m];
        mean += totals[m] * static_cast<double>(m);
    }
    CHECK(near(chance, 1.0));
    CHECK(std::abs(mean - posterior.expected_mines()) < 1e-9 * (1.0 + mean));
}

std::vector<Prior> priors(std::int64_t mines) {
    return {{Prior::Kind::total, mines, 0.0},
            {Prior::Kind::density, 0, 0.15},
            {Prior::Kind::density, 0, 1e-7},
            {Prior::Kind::density, 0, 0.999},
            {Prior::Kind::unknown, 0, 0.0}};
}

// Extreme totals allow few layouts, which are hidden among very many others.
void compare_with_all_priors(Question question, std::int64_t mines) {
    for (const auto& prior : priors(mines)) {
        question.prior = prior;
        compare(question);
    }
    question.prior = {Prior::Kind::unknown, 0, 0.0};
    const Strip any(question);
    for (const auto total : {any.fewest, any.fewest + 1, any.most}) {
        question.prior = {Prior::Kind::total, total, 0.0};
        const Strip truth(question);
        if (truth.weight > 0.0L) compare(question, truth);
    }
    for (const auto total : {any.fewest - 1, any.most + 1}) {
        question.prior = {Prior::Kind::total, total, 0.0};
        CHECK_THROWS(Posterior(question, {}, Precision::exact_only), Contradiction);
    }
}

void ladders_are_right(int rows, int cols, const std::shared_ptr<const Channel>& channel) {
    const auto topology = rectangle(rows, cols);
    const auto position = ladder(*topology, *channel, 1);
    compare_with_all_priors({topology, position.cells, {}, channel, false}, laid(position));
}

void scattered_strips_are_right() {
    Random random(4);
    for (const auto& channel : all_channels())
        for (int i = 0; i < 2; ++i) {
            const auto topology = rectangle(uniform_int(random, 1, 3), uniform_int(random, 20, 50));
            std::vector<std::int32_t> opened;
            for (std::int32_t c = 0; c < topology->cells(); ++c)
                if (random.below(3) == 0) opened.push_back(c);
            const auto position = seen_position(*topology, random_mines(*topology, 0.3, random),
                                                *channel, opened, random.next());
            Question question{topology, position.cells, {}, channel, false};
            for (const auto& prior : priors(laid(position))) {
                question.prior = prior;
                compare(question);
            }
        }
}

// Either every other closed column has two mines, or every column has one. There are very many
// layouts of the second kind and two of the first, but the known total may require the first.
void a_rare_layout_is_not_lost() {
    const int cols = compared_cols + 1 - compared_cols % 4;
    const auto topology = rectangle(2, cols);
    Question question{
        topology, std::vector<std::int8_t>(at(2 * cols), 2), {}, exact_channel(), false};
    std::int64_t closed = 0;
    for (int col = 0; col < cols; col += 2) {
        question.cells[at(col)] = question.cells[at(cols + col)] = cell::closed;
        ++closed;
    }
    for (const auto total : {closed - 1, closed, closed + 1}) {
        question.prior = {Prior::Kind::total, total, 0.0};
        compare(question);
        const Posterior posterior(question, {}, Precision::exact_only);
        CHECK(posterior.safe().empty() == (total == closed));
    }
    for (const double density : {1e-9, 0.5, 0.9999}) {
        question.prior = {Prior::Kind::density, 0, density};
        compare(question);
    }
}

void long_ladders_are_sane(int rows, const std::shared_ptr<const Channel>& channel) {
    const auto topology = rectangle(rows, long_cols);
    const auto position = ladder(*topology, *channel, 2);
    Question question{topology, position.cells, {}, channel, false};
    for (const auto& prior : priors(laid(position))) {
        question.prior = prior;
        const Posterior posterior(question, {}, Precision::exact_only);
        check_sane(posterior, position);
        CHECK(posterior.components() > 0);
        const auto sample = posterior.sample(1, 3);
        for (std::int32_t c = 0; c < topology->cells(); ++c)
            if (channel->exact && cell::is_clue(position.cells[at(c)]))
                CHECK(true_count(*topology, sample, c) == position.cells[at(c)]);
        if (prior.kind == Prior::Kind::total)
            CHECK(std::count(sample.begin(), sample.end(), 1) == prior.mines);
    }
}

}  // namespace

SUITE("posterior/strips") {
    long_ladders_are_sane(2, exact_channel());
    long_ladders_are_sane(3, optimistic_channel());
    if (Strip::trustworthy) {
        ladders_are_right(2, 60, exact_channel());
        ladders_are_right(2, compared_cols, exact_channel());
        ladders_are_right(3, 60, exact_channel());
        ladders_are_right(2, 100, optimistic_channel());
        ladders_are_right(2, 100, cautious_channel());
        ladders_are_right(2, 100, random_channel(3));
        scattered_strips_are_right();
        a_rare_layout_is_not_lost();
    }
}
