// A cache does not change any answer, even if several threads share it.
#include <algorithm>
#include <bit>
#include <memory>
#include <thread>
#include <vector>

#include "board/generate.hpp"
#include "counting/layout_cache.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr int rows = 12;
constexpr int cols = 14;
constexpr std::int64_t mines = 32;
constexpr int games = 10;
constexpr int threads = 4;

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
}

// The positions of a game in which the cell of the lowest risk is always opened.
std::vector<Question> positions_of(std::uint64_t seed, std::shared_ptr<const Channel> channel) {
    const auto topology = rectangle(rows, cols);
    Game game(topology, lay_mines(*topology, mines, seed, Start::safe, 0), *channel, seed,
              {.keep_going = true}, {});
    std::vector<Question> result;
    game.open(0);
    for (int move = 0; move < 15 && game.status() == Status::playing; ++move) {
        result.push_back({topology,
                          {game.cells().begin(), game.cells().end()},
                          {Prior::Kind::total, mines, 0.0},
                          channel,
                          false});
        const Posterior posterior(result.back(), {}, Precision::exact_only);
        const auto& risk = posterior.risk();
        std::int32_t best = -1;
        for (std::int32_t c = 0; c < topology->cells(); ++c)
            if (cell::is_closed(result.back().cells[at(c)]) &&
                (best < 0 || risk[at(c)] < risk[at(best)]))
                best = c;
        auto safe = posterior.safe();
        if (safe.empty()) safe.push_back(best);
        for (const auto c : safe)
            if (cell::is_closed(game.code_at(c))) game.open(c);
    }
    return result;
}

bool same_answers(const Question& question, LayoutCache& cache) {
    const Posterior alone(question, {}, Precision::exact_only);
    const Posterior cached(question, {}, Precision::exact_only, &cache);
    const auto closed = std::ranges::find(question.cells, cell::closed) - question.cells.begin();
    return same_bits(alone.risk(), cached.risk()) && alone.safe() == cached.safe() &&
           alone.mined() == cached.mined() && alone.log_weight() == cached.log_weight() &&
           alone.expected_mines() == cached.expected_mines() &&
           same_bits(alone.total_distribution(), cached.total_distribution()) &&
           alone.clue_chances(static_cast<std::int32_t>(closed)) ==
               cached.clue_chances(static_cast<std::int32_t>(closed)) &&
           alone.sample(2, 5) == cached.sample(2, 5);
}

void a_cache_changes_no_answer(const std::shared_ptr<const Channel>& channel) {
    LayoutCache large;
    LayoutCache small(2000);  // starts over all the time
    for (std::uint64_t seed = 0; seed < games; ++seed)
        for (const auto& question : positions_of(seed, channel))
            CHECK(same_answers(question, large) && same_answers(question, small));
}

// The prior may change between questions, so the cache must not depend on it.
void priors_share_a_cache() {
    LayoutCache cache;
    for (auto question : positions_of(3, exact_channel())) {
        CHECK(same_answers(question, cache));
        question.prior = {Prior::Kind::density, 0, 0.4};
        CHECK(same_answers(question, cache));
        question.prior = {Prior::Kind::unknown, 0, 0.0};
        CHECK(same_answers(question, cache));
    }
}

void threads_share_a_cache() {
    std::vector<Question> questions;
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (auto& question : positions_of(seed, exact_channel()))
            questions.push_back(std::move(question));
    LayoutCache large;
    LayoutCache small(20'000);
    std::vector<int> wrong(threads, 0);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (std::size_t i = 0; i < questions.size(); ++i) {
                const auto& question = questions[(i + at(t) * 3) % questions.size()];
                wrong[at(t)] += !same_answers(question, large) || !same_answers(question, small);
            }
        });
    for (auto& worker : workers)
        worker.join();
    CHECK(std::ranges::count(wrong, 0) == threads);
}

}  // namespace

SUITE("counting/layout_cache") {
    a_cache_changes_no_answer(exact_channel());
    a_cache_changes_no_answer(random_channel(4));
    priors_share_a_cache();
    threads_share_a_cache();
}
