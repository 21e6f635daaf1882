// A cache does not change any answer, stays within its bound, and keeps what is asked for.
#include <algorithm>
#include <bit>
#include <memory>
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
    LayoutCache small(2000);  // forgets all the time
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

// A row of cells with a clue at every other one, so that it is one component.
Frontier row(int cells, std::int8_t clue) {
    const auto topology = rectangle(1, cells);
    std::vector<std::int8_t> codes(at(cells), cell::closed);
    for (int c = 1; c < cells; c += 2)
        codes[at(c)] = clue;
    const Channel channel;
    return Frontier({*topology, codes, {}, channel});
}

std::shared_ptr<const Layouts> count(const Component& component) {
    Budget budget;
    return std::make_shared<const Layouts>(
        *Layouts::count(component, make_plan(component, 1e9), budget));
}

void a_full_cache_keeps_what_is_asked_for() {
    constexpr std::size_t most = 50'000;
    LayoutCache cache(most);
    const auto wanted = row(5, 1);
    const auto key = LayoutCache::key(wanted.component(0));
    cache.keep(key, count(wanted.component(0)));
    int forgotten = 0;
    for (int cells = 7; cells < 101; cells += 2) {
        const auto other = row(cells, 1);
        cache.keep(LayoutCache::key(other.component(0)), count(other.component(0)));
        CHECK(cache.bytes() <= most);
        CHECK(cache.find(key) != nullptr);
    }
    for (int cells = 7; cells < 101; cells += 2)
        forgotten += cache.find(LayoutCache::key(row(cells, 1).component(0))) == nullptr;
    CHECK(forgotten > 0);
}

void keys_tell_structures_apart() {
    std::vector<LayoutCache::Key> keys;
    for (int cells = 3; cells < 60; cells += 2)
        keys.push_back(LayoutCache::key(row(cells, 1).component(0)));
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = 0; j < keys.size(); ++j)
            CHECK((keys[i] == keys[j]) == (i == j));
}

}  // namespace

SUITE("counting/layout_cache") {
    a_cache_changes_no_answer(exact_channel());
    a_cache_changes_no_answer(random_channel(4));
    priors_share_a_cache();
    a_full_cache_keeps_what_is_asked_for();
    keys_tell_structures_apart();
}
