// A large board, solved by certain moves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "board/generate.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

constexpr int side = 300;

void check_answer(const Posterior& posterior, const Game& game,
                  const std::vector<std::uint8_t>& mines) {
    double sum = 0.0;
    bool in_range = true;
    for (std::size_t c = 0; c < mines.size(); ++c) {
        if (!cell::is_closed(game.cells()[c])) continue;
        in_range = in_range && 0.0 <= posterior.risk()[c] && posterior.risk()[c] <= 1.0;
        sum += posterior.risk()[c];
    }
    CHECK(in_range);
    CHECK(posterior.exact() && std::isfinite(posterior.log_weight()));
    CHECK(std::abs(sum - posterior.expected_mines()) < 1e-6);
    for (const auto c : posterior.safe())
        CHECK(!mines[at(c)]);
    for (const auto c : posterior.mined())
        CHECK(mines[at(c)]);
}

void certain_play_meets_no_mine(Prior prior, int rounds) {
    const auto topology = rectangle(side, side);
    const std::int64_t total = topology->cells() * 15 / 100;
    const auto first = static_cast<std::int32_t>(side / 2 * side + side / 2);
    const auto mines = lay_mines(*topology, total, 1, Start::zero, first);
    Game game(topology, mines, {}, 0, {}, {});
    LayoutCache cache;
    prior.mines = total;
    game.open(first);
    for (int round = 0; round < rounds; ++round) {
        const Question question{
            topology, {game.cells().begin(), game.cells().end()}, prior, exact_channel(), false};
        const Posterior posterior(question, {}, Precision::exact_only, &cache);
        check_answer(posterior, game, mines);
        if (prior.kind == Prior::Kind::total)
            CHECK(std::abs(posterior.expected_mines() - static_cast<double>(total)) < 1e-6);
        if (round + 1 == rounds) {
            const auto sample = posterior.sample(1, 9);
            for (std::int32_t c = 0; c < topology->cells(); ++c)
                if (cell::is_clue(game.code_at(c)))
                    CHECK(true_count(*topology, sample, c) == game.code_at(c));
        }
        for (const auto c : posterior.safe())
            if (cell::is_closed(game.code_at(c))) game.open(c);
        for (const auto c : posterior.mined())
            if (game.code_at(c) == cell::closed) game.flag(c);
        CHECK(game.status() == Status::playing || game.status() == Status::won);
        CHECK(game.wrong_flags() == 0);
    }
}

// Distant openings all over the board, so that thousands of components share the mines.
void many_components_share_the_mines(Prior prior) {
    const auto topology = rectangle(side, side);
    Random random(3);
    auto mines = random_mines(*topology, 0.15, random);
    std::vector<std::int32_t> opened;
    for (int row = 1; row < side; row += 5)
        for (int col = 1; col < side; col += 5)
            if (!mines[at(row * side + col)]) opened.push_back(row * side + col);
    const auto position = seen_position(*topology, mines, {}, opened, 0);
    prior.mines = std::count(mines.begin(), mines.end(), 1);
    const Question question{topology, position.cells, prior, exact_channel(), false};
    const Posterior posterior(question, {}, Precision::exact_only);
    CHECK(posterior.components() > 1000);
    double sum = 0.0;
    for (std::size_t c = 0; c < mines.size(); ++c)
        if (cell::is_closed(position.cells[c])) sum += posterior.risk()[c];
    CHECK(std::abs(sum - posterior.expected_mines()) < 1e-6);
    const auto sample = posterior.sample(1, 4);
    for (const auto c : opened)
        CHECK(true_count(*topology, sample, c) == position.cells[at(c)]);
    if (prior.kind != Prior::Kind::total) return;
    CHECK(std::abs(sum - static_cast<double>(prior.mines)) < 1e-6);
    CHECK(std::count(sample.begin(), sample.end(), 1) == prior.mines);
}

}  // namespace

SUITE("posterior/large") {
    certain_play_meets_no_mine({Prior::Kind::total, 0, 0.0}, 40);
    certain_play_meets_no_mine({Prior::Kind::density, 0, 0.15}, 15);
    certain_play_meets_no_mine({Prior::Kind::unknown, 0, 0.0}, 15);
    many_components_share_the_mines({Prior::Kind::total, 0, 0.0});
    many_components_share_the_mines({Prior::Kind::density, 0, 0.001});
    many_components_share_the_mines({Prior::Kind::unknown, 0, 0.0});
}
