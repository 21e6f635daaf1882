#include "env/game_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "board/cell.hpp"
#include "board/checkpoint.hpp"
#include "board/game.hpp"
#include "board/index.hpp"
#include "board/reveal.hpp"

namespace mineproof {

namespace {

// Makes the seeds of later games differ from what the first seed draws elsewhere.
constexpr std::uint64_t episode_stream = 0x8cb92ba72f3d8dd7;

}  // namespace

GameBatch::GameBatch(Conditions conditions, Rewards rewards, Episodes episodes, std::size_t games)
    : conditions_(std::move(conditions)),
      reward_(rewards),
      episodes_(episodes),
      size_(at(conditions_.topology->cells())),
      cells_(games * size_, cell::closed),
      closed_(games * size_, 1),
      final_cells_(episodes.same_step ? games * size_ : 0, cell::closed),
      mines_(games * size_, 0),
      rewards_(games, 0.0),
      terminated_(games, 0),
      truncated_(games, 0),
      won_(games, 0),
      laid_(games, 0),
      opened_(games, 0),
      steps_(games, 0),
      seeds_(games, 0),
      final_seeds_(games, 0),
      random_(games, Random(0)) {
    const auto most = most_mines(*conditions_.topology, conditions_.start);
    if (conditions_.mines < 0 || conditions_.mines > most)
        throw std::invalid_argument("mines: the board has room for 0 to " + std::to_string(most));
}

void GameBatch::seed(std::size_t game, std::uint64_t seed) {
    random_[game] = Random(seed ^ episode_stream);
    begin(game, seed);
}

void GameBatch::next(std::size_t game) {
    begin(game, random_[game].next());
}

void GameBatch::begin(std::size_t game, std::uint64_t seed) {
    const auto first = static_cast<std::ptrdiff_t>(game * size_);
    const auto size = static_cast<std::ptrdiff_t>(size_);
    std::fill_n(cells_.begin() + first, size, cell::closed);
    std::fill_n(closed_.begin() + first, size, std::int8_t{1});
    seeds_[game] = seed;
    opened_[game] = 0;
    steps_[game] = 0;
    rewards_[game] = 0.0;
    terminated_[game] = truncated_[game] = won_[game] = laid_[game] = 0;
    if (conditions_.start == Start::any) lay(game, -1);
}

void GameBatch::lay(std::size_t game, std::int32_t first) {
    const auto mines =
        lay_mines(*conditions_.topology, conditions_.mines, seeds_[game], conditions_.start, first);
    std::ranges::copy(mines, mines_.begin() + static_cast<std::ptrdiff_t>(game * size_));
    laid_[game] = 1;
}

std::optional<std::size_t> GameBatch::first_invalid(std::span<const std::int64_t> actions) const {
    for (std::size_t game = 0; game < games(); ++game)
        if (!is_over(game) && !closed_[game * size_ + at(actions[game])]) return game;
    return std::nullopt;
}

void GameBatch::step(std::span<const std::int64_t> actions) {
    Work work;
    for (std::size_t game = 0; game < games(); ++game) {
        work.add(8);
        if (is_over(game) && !episodes_.same_step) {
            next(game);
            continue;
        }
        terminated_[game] = truncated_[game] = won_[game] = 0;
        act(game, static_cast<std::int32_t>(actions[game]));
        if (!episodes_.same_step || !is_over(game)) continue;
        const auto [reward, ended, cut, won] =
            std::tuple{rewards_[game], terminated_[game], truncated_[game], won_[game]};
        const auto first = static_cast<std::ptrdiff_t>(game * size_);
        std::copy_n(cells_.begin() + first, size_, final_cells_.begin() + first);
        final_seeds_[game] = seeds_[game];
        next(game);
        std::tie(rewards_[game], terminated_[game], truncated_[game], won_[game]) =
            std::tuple{reward, ended, cut, won};
    }
}

void GameBatch::act(std::size_t game, std::int32_t cell) {
    auto& reward = rewards_[game];
    ++steps_[game];
    if (!closed_[game * size_ + at(cell)]) {
        reward = reward_.invalid;
        terminated_[game] = episodes_.invalid_ends;
    } else {
        if (!laid_[game]) lay(game, cell);
        if (mines_[game * size_ + at(cell)]) {
            reward = reward_.loss;
            terminated_[game] = 1;
        } else {
            reward = reward_.safe + reward_.cell * open(game, cell);
            if (opened_[game] == topology().cells() - conditions_.mines) {
                reward += reward_.win;
                terminated_[game] = won_[game] = 1;
            }
        }
    }
    truncated_[game] = episodes_.max_steps > 0 && steps_[game] >= episodes_.max_steps;
}

int GameBatch::open(std::size_t game, std::int32_t first) {
    const auto& topology = *conditions_.topology;
    const auto& channel = *conditions_.channel;
    const std::span mines(mines_.data() + game * size_, size_);
    const std::span cells(cells_.data() + game * size_, size_);
    const std::span closed(closed_.data() + game * size_, size_);
    const bool cascades = conditions_.cascade && channel.exact;
    const auto before = opened_[game];
    const auto show = [&](std::int32_t cell) {
        const int count = true_count(topology, mines, cell);
        const auto seen = draw_clue(channel, topology.degree(cell), count, seeds_[game], cell);
        cells[at(cell)] = seen == cell::no_clue ? no_clue : seen;
        closed[at(cell)] = 0;
        ++opened_[game];
        return cascades && count == 0;
    };
    reveal(topology, first, zeros_, show, [&](std::int32_t cell) { return closed[at(cell)] != 0; });
    return opened_[game] - before;
}

std::span<const std::uint8_t> GameBatch::mines(std::size_t game) const {
    if (!laid_[game]) return {};
    return {mines_.data() + game * size_, size_};
}

}  // namespace mineproof
