// Threads that share what may be shared: topologies, channels and posteriors. The sanitizer
// for data races runs this suite too. Every thread must get what a single thread gets.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bindings/guarded.hpp"
#include "board/game.hpp"
#include "board/generate.hpp"
#include "chains/chains.hpp"
#include "play/bulk.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"
#include "posterior/many.hpp"
#include "posterior/posterior.hpp"
#include "posterior/solver.hpp"
#include "proofs/proof.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr std::size_t thread_count = 4;

// Calls `work` in several threads at once. Returns what each of them returned.
template <class Work>
auto in_threads(Work work) {
    std::vector<decltype(work(std::size_t{}))> results(thread_count);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i)
        threads.emplace_back([&, i] { results[i] = work(i); });
    for (auto& thread : threads)
        thread.join();
    return results;
}

std::vector<Question> questions(const std::shared_ptr<const Topology>& topology,
                                const std::shared_ptr<const Channel>& channel) {
    std::vector<Question> result;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto position = scattered_position(*topology, 0.2, 0.35, seed);
        result.push_back(
            {topology, position.cells, {Prior::Kind::total, laid(position), 0.0}, channel, false});
    }
    return result;
}

// Without NaN, so that lists of risks can be compared.
std::vector<double> risks(const Posterior& posterior) {
    std::vector<double> result;
    for (const auto risk : posterior.risk())
        if (risk == risk) result.push_back(risk);
    return result;
}

void threads_have_solvers_of_their_own() {
    const auto all = questions(rectangle(10, 10), exact_channel());
    std::vector<std::vector<double>> alone;
    for (const auto& question : all)
        alone.push_back(risks(Posterior(question, {}, Precision::exact_only)));
    const auto results = in_threads([&](std::size_t thread) {
        Solver solver;
        std::vector<std::vector<double>> answers(all.size());
        for (std::size_t i = 0; i < 2 * all.size(); ++i) {
            const auto which = (i + thread) % all.size();
            answers[which] = risks(solver.infer(all[which], {}, Precision::exact_only));
        }
        return answers;
    });
    for (const auto& answers : results)
        CHECK(answers == alone);
}

struct Answers {
    std::vector<std::uint8_t> sample;
    std::vector<double> totals, chances;
    std::vector<std::vector<std::int32_t>> premises;
    std::vector<std::uint64_t> residues;

    friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask_everything(const Posterior& posterior) {
    Answers answers{posterior.sample(2, 1), posterior.total_distribution(), {}, {}, {}};
    for (std::int32_t c = 0; c < posterior.topology().cells(); c += 17)
        if (cell::is_closed(posterior.evidence().cells[at(c)]))
            for (const auto chance : posterior.clue_chances(c))
                answers.chances.push_back(chance);
    Prover prover(posterior, 4);
    for (const auto c : posterior.safe())
        answers.premises.push_back(prover.prove(c).premises.front());
    const std::vector<std::uint64_t> primes{2147483647};
    for (std::size_t i = 0; i < posterior.components(); ++i) {
        const auto count = posterior.count(i, primes);
        for (const auto residue : count.residues.front())
            answers.residues.push_back(residue);
    }
    return answers;
}

void a_posterior_is_shared() {
    for (const auto& channel : {exact_channel(), lost_channel(0.2)}) {
        const Posterior posterior(questions(rectangle(9, 9), channel).front(), {},
                                  Precision::exact_only);
        const auto alone = ask_everything(posterior);
        for (const auto& answers :
             in_threads([&](std::size_t) { return ask_everything(posterior); }))
            CHECK(answers == alone);
    }
}

void games_share_a_topology() {
    const auto topology = rectangle(9, 9);
    const auto channel = exact_channel();
    const auto play = [&](std::size_t seed) {
        const auto mines = lay_mines(*topology, 12, seed, Start::safe, 0);
        Game game(topology, mines, *channel, seed, {}, {});
        ExactPlayer player({}, seed % 2 == 0 ? Preference::first : Preference::short_chain);
        game.open(0);
        play_out(game, player, {Prior::Kind::total, 12, 0.0}, channel, seed, Record::counts);
        Game again(topology, mines, *channel, seed, {}, {});
        const auto chains = solve(again, 0, channel, {});
        std::vector<std::int32_t> result(game.cells().begin(), game.cells().end());
        result.insert(result.end(), chains.lengths().begin(), chains.lengths().end());
        return result;
    };
    const auto results = in_threads(play);
    for (std::size_t i = 0; i < thread_count; ++i)
        CHECK(results[i] == play(i));
}

// A global lock like that of Python: a thread holds it, unless it has released it.
class Gil {
  public:
    struct Released {
        Released() { lock.unlock(); }
        ~Released() { lock.lock(); }
    };
    struct Held {
        Held() { lock.lock(); }
        ~Held() { lock.unlock(); }
    };

  private:
    static inline std::mutex lock;
};

// Threads of Python that open, flag and chord the cells of one large game.
void a_game_is_shared() {
    const auto topology = rectangle(400, 400);
    const auto cells = static_cast<std::uint64_t>(topology->cells());
    const auto mines = lay_mines(*topology, topology->cells() / 8, 7, Start::any, 0);
    GuardedBy<Game, Gil::Released> shared(topology, mines, *exact_channel(), std::uint64_t{0},
                                          Game::Rules{.keep_going = true, .cascade = true},
                                          std::vector<std::int32_t>{});
    const auto play = [&](std::size_t thread) {
        Random random(thread);
        std::size_t done = 0;
        for (int i = 0; i < 5000; ++i) {
            const Move move{static_cast<MoveKind>(random.below(4)),
                            static_cast<std::int32_t>(random.below(cells))};
            const auto make = [&](Game& game) {
                try {
                    game.make(move);
                    ++done;
                } catch (const IllegalMove&) {
                }
            };
            const Gil::Held held;
            i % 2 == 0 ? shared.use(make) : shared.use_without_gil(make);
        }
        return done;
    };
    std::size_t moves = 0;
    for (const auto done : in_threads(play))
        moves += done;
    const Gil::Held held;
    shared.use([&](const Game& game) {
        CHECK(game.history().size() == moves);
        Game again(topology, mines, *exact_channel(), 0, {.keep_going = true, .cascade = true}, {});
        for (const auto move : game.history())
            again.make(move);
        CHECK(std::ranges::equal(again.cells(), game.cells()));
    });
}

// A call that uses an object while the same thread uses it already is refused.
void a_thread_does_not_wait_for_itself() {
    GuardedBy<int, Gil::Released> shared(1);
    const Gil::Held held;
    const auto inner = [&](int&) { shared.use([](int&) {}); };
    CHECK_THROWS(shared.use(inner), std::runtime_error);
    CHECK(shared.use([](int& value) { return value; }) == 1);
}

void games_in_bulk_do_not_depend_on_threads() {
    const auto channel = exact_channel();
    const Prior prior{Prior::Kind::total, 12, 0.0};
    const Setup setup{rectangle(9, 9), 12, Start::safe, {}, 0, channel};
    const Conditions conditions{setup, prior, channel};
    std::vector<Seed> seeds;
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        seeds.push_back({seed, seed});
    const auto play = [&](std::size_t players) {
        std::vector<std::unique_ptr<Player>> team;
        while (team.size() < players)
            team.push_back(std::make_unique<ExactPlayer>(Budget{}));
        std::vector<std::int32_t> result;
        for (const auto& game : play_seeds(conditions, team, seeds))
            result.insert(result.end(), {game.status, game.opened, game.steps, game.actions});
        return result;
    };
    CHECK(play(1) == play(thread_count));
}

void stacked_observations_do_not_depend_on_threads() {
    const auto all = questions(rectangle(8, 8), exact_channel());
    std::vector<std::int8_t> cells;
    std::vector<std::int64_t> mines;
    for (const auto& question : all) {
        cells.insert(cells.end(), question.cells.begin(), question.cells.end());
        mines.push_back(question.prior.mines);
    }
    const auto one = infer_many(all.front(), cells, mines, {}, 1);
    const auto many = infer_many(all.front(), cells, mines, {}, thread_count);
    CHECK(one.found == many.found);
    for (std::size_t i = 0; i < one.risk.size(); ++i)
        CHECK(one.risk[i] == many.risk[i] ||
              (one.risk[i] != one.risk[i] && many.risk[i] != many.risk[i]));
}

}  // namespace

SUITE("play/threads") {
    games_in_bulk_do_not_depend_on_threads();
    stacked_observations_do_not_depend_on_threads();
    threads_have_solvers_of_their_own();
    a_game_is_shared();
    a_thread_does_not_wait_for_itself();
    a_posterior_is_shared();
    games_share_a_topology();
}
