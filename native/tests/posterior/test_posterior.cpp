// The posterior against brute force on random small boards, and samples against the posterior.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/brute_force.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr int boards_per_channel = 200;
constexpr int most_unknown = 11;
constexpr double tolerance = 1e-9;

bool near(double a, double b) {
    return std::abs(a - b) < tolerance;
}

std::uint64_t choose_modulo(std::int64_t n, std::int64_t k, std::uint64_t modulus) {
    std::vector<std::uint64_t> row{1};
    for (std::int64_t i = 0; i < n; ++i) {
        row.push_back(0);
        for (auto j = row.size() - 1; j > 0; --j)
            row[j] = (row[j] + row[j - 1]) % modulus;
    }
    return k < 0 || k > n ? 0 : row[at(k)] % modulus;
}

// Layouts by mines on the whole board, from the components and the interior.
std::vector<std::uint64_t> layouts_modulo(const Posterior& posterior, std::size_t cells,
                                          std::uint64_t prime) {
    const std::vector<std::uint64_t> primes{prime};
    std::vector<std::uint64_t> product(cells + 1, 0);
    product[at(posterior.known_mines())] = 1;
    const auto multiply = [&](std::int64_t fewest, std::span<const std::uint64_t> ways) {
        std::vector<std::uint64_t> result(cells + 1, 0);
        for (std::size_t i = 0; i <= cells; ++i)
            for (std::size_t j = 0; j < ways.size() && product[i] != 0; ++j) {
                if (ways[j] == 0) continue;
                auto& sum = result.at(i + at(fewest) + j);
                sum = (sum + product[i] * ways[j]) % prime;
            }
        product = std::move(result);
    };
    for (std::size_t i = 0; i < posterior.components(); ++i) {
        const auto count = posterior.count(i, primes);
        multiply(count.fewest, count.residues.at(0));
    }
    std::vector<std::uint64_t> interior;
    for (std::int64_t k = 0; k <= posterior.interior(); ++k)
        interior.push_back(choose_modulo(posterior.interior(), k, prime));
    multiply(0, interior);
    return product;
}

void check_cells(const Question& question, const Posterior& posterior, const BruteForce& truth) {
    std::vector<std::int32_t> safe, mined;
    double sum = 0.0;
    const auto all_chances = posterior.all_clue_chances();
    for (std::int32_t c = 0; c < question.topology->cells(); ++c) {
        const auto code = question.cells[at(c)];
        const double risk = posterior.risk()[at(c)];
        if (!cell::is_closed(code)) {
            CHECK(std::isnan(risk));
            CHECK(std::ranges::count(all_chances[at(c)], 0.0) == symbols);
            sum += code == cell::exploded;
            continue;
        }
        CHECK(near(risk, truth.risk[at(c)]));
        sum += risk;
        if (!truth.may_be_mine[at(c)]) safe.push_back(c);
        if (!truth.may_be_free[at(c)]) mined.push_back(c);
        CHECK((risk == 0.0) == !truth.may_be_mine[at(c)]);
        CHECK((risk == 1.0) == !truth.may_be_free[at(c)]);
        const auto chances = posterior.clue_chances(c);
        for (int seen = 0; seen < symbols; ++seen)
            CHECK(near(chances[at(seen)], truth.clues[at(c)][at(seen)]) &&
                  std::abs(all_chances[at(c)][at(seen)] - chances[at(seen)]) < 1e-12);
    }
    CHECK(posterior.safe() == safe);
    CHECK(posterior.mined() == mined);
    CHECK(near(sum, posterior.expected_mines()));
}

void check_totals(const Question& question, const Posterior& posterior, const BruteForce& truth) {
    const auto totals = posterior.total_distribution();
    CHECK(totals.size() <= truth.totals.size());
    for (std::size_t m = 0; m < truth.totals.size(); ++m)
        CHECK(near(m < totals.size() ? totals[m] : 0.0, truth.totals[m]));
    for (const std::uint64_t prime : {2147483647u, 7u}) {
        auto expected = truth.layouts;
        for (auto& count : expected)
            count %= prime;
        CHECK(layouts_modulo(posterior, question.cells.size(), prime) == expected);
    }
    CHECK(std::isfinite(posterior.log_weight()));
    if (question.channel->exact && question.prior.kind == Prior::Kind::total)
        CHECK(near(posterior.log_weight(), std::log(truth.weight)));
}

void answers_are_those_of_brute_force() {
    Random random(1);
    for (const auto& channel : all_channels())
        for (int i = 0; i < boards_per_channel; ++i) {
            const auto question = random_question(channel, most_unknown, random);
            const BruteForce truth(question);
            const auto posterior = answer(question);
            CHECK(posterior.has_value() == (truth.weight > 0.0));
            if (!posterior || truth.weight == 0.0) continue;
            CHECK(posterior->exact());
            check_cells(question, *posterior, truth);
            check_totals(question, *posterior, truth);
        }
}

// A channel that always shows the true count is the exact channel.
void an_identity_table_changes_nothing() {
    Random random(2);
    const auto identity = lost_channel(0.0);
    for (int i = 0; i < boards_per_channel; ++i) {
        auto question = random_question(exact_channel(), most_unknown, random);
        const auto plain = answer(question);
        question.channel = identity;
        const auto table = answer(question);
        CHECK(plain.has_value() == table.has_value());
        if (!plain || !table) continue;
        CHECK(plain->safe() == table->safe() && plain->mined() == table->mined());
        for (std::size_t c = 0; c < question.cells.size(); ++c)
            CHECK(!cell::is_closed(question.cells[c]) || near(plain->risk()[c], table->risk()[c]));
    }
}

void samples_fit_and_keep_the_frequencies() {
    constexpr int boards = 12;
    constexpr std::size_t draws = 1500;
    Random random(3);
    for (const auto& channel : all_channels())
        for (int i = 0; i < boards; ++i) {
            const auto question = random_question(channel, most_unknown, random);
            const auto posterior = answer(question);
            if (!posterior) continue;
            const BruteForce truth(question);
            const auto cells = question.cells.size();
            const auto samples = posterior->sample(draws, random.next());
            CHECK(samples.size() == draws * cells);
            std::vector<double> mean(cells, 0.0);
            for (std::size_t n = 0; n < draws; ++n) {
                CHECK(truth.fits(samples.data() + n * cells));
                for (std::size_t c = 0; c < cells; ++c)
                    mean[c] += samples[n * cells + c] / static_cast<double>(draws);
            }
            for (std::size_t c = 0; c < cells; ++c) {
                // Six standard errors, and a little more if the risk is tiny.
                const double spread = std::sqrt(truth.risk[c] * (1.0 - truth.risk[c]) / draws);
                CHECK(std::abs(mean[c] - truth.risk[c]) < 6.0 * spread + 5.0 / draws);
            }
            CHECK(posterior->sample(3, 7) == posterior->sample(3, 7));
            CHECK(posterior->sample(0, 7).empty());
        }
}

void boards_with_nothing_to_say() {
    const auto ask = [](int rows, int cols, std::int8_t code, std::int64_t mines) {
        const std::vector<std::int8_t> cells(at(rows * cols), code);
        return Posterior({rectangle(rows, cols),
                          cells,
                          {Prior::Kind::total, mines, 0.0},
                          exact_channel(),
                          false},
                         {}, Precision::exact_only);
    };
    CHECK(near(ask(3, 3, cell::closed, 4).risk()[0], 4.0 / 9.0));
    CHECK(ask(3, 3, cell::closed, 0).safe().size() == 9);
    CHECK(ask(3, 3, cell::closed, 9).mined().size() == 9);
    CHECK(ask(2, 2, cell::known_safe, 0).safe().size() == 4);
    CHECK(ask(1, 1, 0, 0).total_distribution() == std::vector{1.0});
    CHECK(ask(2, 3, cell::exploded, 6).expected_mines() == 6.0);
    CHECK(ask(2, 3, cell::no_clue, 0).sample(2, 1) == std::vector<std::uint8_t>(12, 0));
    CHECK_THROWS(ask(1, 1, cell::closed, 2), Contradiction);
    CHECK_THROWS(ask(1, 1, 0, 1), Contradiction);
}

}  // namespace

SUITE("posterior/posterior") {
    answers_are_those_of_brute_force();
    an_identity_table_changes_nothing();
    samples_fit_and_keep_the_frequencies();
    boards_with_nothing_to_say();
}
