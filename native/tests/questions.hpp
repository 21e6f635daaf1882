// Channels and random questions for the tests of inference.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "board/cell.hpp"
#include "board/game.hpp"
#include "board/index.hpp"
#include "board/random.hpp"
#include "chains/chains.hpp"
#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

inline std::shared_ptr<const Topology> rectangle(int rows, int cols) {
    return std::make_shared<const Topology>(Topology::rectangle(rows, cols));
}

inline int uniform_int(Random& random, int least, int most) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

// A small board of any topology, with at most this many rows and columns.
inline std::shared_ptr<const Topology> any_board(Random& random, int most_rows, int most_cols) {
    const auto kind = static_cast<TopologyKind>(random.below(3));
    const int least = kind == TopologyKind::torus ? Topology::least_torus : 1;
    const int rows = uniform_int(random, least, most_rows);
    return std::make_shared<const Topology>(
        Topology::of(kind, rows, uniform_int(random, least, most_cols)));
}

// A channel from `weight(neighbours, true count, symbol)`; rows need not sum to one.
template <class Weight>
std::shared_ptr<const Channel> channel_of(Weight weight) {
    Channel channel;
    channel.exact = false;
    for (int d = 0; d <= max_degree; ++d)
        for (int k = 0; k <= d; ++k) {
            std::array<double, symbols> row{};
            double sum = 0.0;
            for (int seen = 0; seen < symbols; ++seen) {
                if (seen > d && seen != no_clue_symbol) continue;
                sum += row[at(seen)] = weight(d, k, seen);
            }
            for (int seen = 0; seen < symbols; ++seen)
                channel.table[at((d * (max_degree + 1) + k) * symbols + seen)] =
                    row[at(seen)] / sum;
            channel.loses_clues = channel.loses_clues || row[no_clue_symbol] > 0.0;
        }
    return std::make_shared<const Channel>(channel);
}

inline std::shared_ptr<const Channel> exact_channel() {
    return std::make_shared<const Channel>();
}

inline std::shared_ptr<const Channel> lost_channel(double chance) {
    return channel_of([=](int, int k, int seen) {
        return seen == no_clue_symbol ? chance : seen == k ? 1.0 - chance : 0.0;
    });
}

inline std::shared_ptr<const Channel> optimistic_channel() {
    return channel_of([](int, int k, int seen) { return seen <= k ? 1.0 : 0.0; });
}

inline std::shared_ptr<const Channel> cautious_channel() {
    return channel_of(
        [](int, int k, int seen) { return seen >= k && seen != no_clue_symbol ? 1.0 : 0.0; });
}

// A table with many zeros. Every row keeps a symbol.
inline std::shared_ptr<const Channel> random_channel(std::uint64_t seed) {
    Random random(seed);
    return channel_of([&](int, int k, int seen) {
        const double weight = random.uniform();
        return seen == k || random.below(2) == 0 ? weight : 0.0;
    });
}

inline std::vector<std::shared_ptr<const Channel>> all_channels() {
    return {exact_channel(),   lost_channel(0.3), optimistic_channel(), cautious_channel(),
            lost_channel(0.0), random_channel(1), random_channel(2)};
}

struct Deal {
    std::vector<std::uint8_t> mines;
    std::vector<std::int8_t> cells;
};

inline std::vector<std::uint8_t> random_mines(const Topology& topology, double density,
                                              Random& random) {
    std::vector<std::uint8_t> mines(at(topology.cells()));
    for (auto& mine : mines)
        mine = random.uniform() < density;
    return mines;
}

// What a player sees after opening these cells. Mines among them explode.
inline Deal seen_position(const Topology& topology, std::vector<std::uint8_t> mines,
                          const Channel& channel, std::span<const std::int32_t> opened,
                          std::uint64_t seed) {
    Deal position{std::move(mines), {}};
    position.cells.assign(position.mines.size(), cell::closed);
    for (const auto c : opened)
        position.cells[at(c)] = position.mines[at(c)]
                                    ? cell::exploded
                                    : draw_clue(channel, topology.degree(c),
                                                true_count(topology, position.mines, c), seed, c);
    return position;
}

// Opens safe cells here and there.
inline Deal scattered_position(const Topology& topology, double density, double revealed,
                               std::uint64_t seed) {
    Random random(seed);
    auto mines = random_mines(topology, density, random);
    std::vector<std::int32_t> opened;
    for (std::int32_t c = 0; c < topology.cells(); ++c)
        if (!mines[at(c)] && random.uniform() < revealed) opened.push_back(c);
    return seen_position(topology, std::move(mines), {}, opened, seed);
}

// Every other column has a clue in its top row, and no clue settles a cell by itself, so the whole
// strip is one component.
inline Deal ladder(const Topology& topology, const Channel& channel, std::uint64_t seed) {
    Random random(seed);
    const int rows = topology.rows();
    const int cols = topology.cols();
    auto mines = random_mines(topology, 0.4, random);
    std::vector<std::int32_t> opened;
    for (int col = 1; col < cols; col += 2) {
        opened.push_back(col);
        mines[at(col)] = 0;
    }
    for (const auto c : opened)
        while (true) {
            const int count = true_count(topology, mines, c);
            if (count > 0 && count < topology.degree(c)) break;
            for (int row = 0; row < std::min(rows, 2); ++row)
                for (int col = c; col <= std::min(c + 1, cols - 1); ++col)
                    if (row > 0 || col > c) mines[at(row * cols + col)] = random.below(2) != 0;
        }
    return seen_position(topology, std::move(mines), channel, opened, seed);
}

inline std::int64_t laid(const Deal& position) {
    return std::count(position.mines.begin(), position.mines.end(), 1);
}

// A small board with every kind of cell. At most `most_unknown` cells are unknown.
inline Question random_question(std::shared_ptr<const Channel> channel, int most_unknown,
                                Random& random) {
    const auto topology = any_board(random, 5, 5);
    const double density = 0.05 + 0.5 * random.uniform();
    const double revealed = random.uniform();
    const auto mines = random_mines(*topology, density, random);
    std::vector<std::int32_t> opened;
    for (std::int32_t c = 0; c < topology->cells(); ++c)
        if (random.uniform() < (mines[at(c)] ? 0.1 : revealed)) opened.push_back(c);
    auto position = seen_position(*topology, mines, *channel, opened, random.next());
    int unknown = 0;
    for (std::int32_t c = 0; c < topology->cells(); ++c) {
        auto& code = position.cells[at(c)];
        if (code == cell::closed) {
            if (random.below(6) == 0) code = cell::flagged;
            if (!mines[at(c)] && random.below(10) == 0) code = cell::known_safe;
        } else if (cell::is_clue(code) && random.below(12) == 0) {
            code = cell::no_clue;
        }
        if (code == cell::closed || code == cell::flagged)
            if (++unknown > most_unknown) code = mines[at(c)] ? cell::exploded : cell::known_safe;
    }
    Question question{topology, position.cells, {}, std::move(channel), random.below(3) == 0};
    question.prior.kind = static_cast<Prior::Kind>(random.below(3));
    question.prior.mines = std::count(mines.begin(), mines.end(), 1);
    question.prior.density = 0.02 + 0.9 * random.uniform();
    return question;
}

// Changes clues or the known total, so that often no layout fits.
inline void disturb(Question& question, Random& random) {
    if (random.below(4) == 0) question.prior.mines += uniform_int(random, -2, 2);
    for (std::int32_t c = 0; c < question.topology->cells(); ++c) {
        auto& code = question.cells[at(c)];
        if (cell::is_clue(code) && random.below(5) == 0)
            code = static_cast<std::int8_t>(uniform_int(random, 0, question.topology->degree(c)));
    }
}

// The exact posterior, or nothing if no layout fits.
inline std::optional<Posterior> answer(const Question& question) {
    try {
        return Posterior(question, {}, Precision::exact_only);
    } catch (const Contradiction&) {
        return std::nullopt;
    }
}

// Whether a game is solved from its first cell by opening what is certainly safe.
inline bool needs_no_guess(Game& game, std::int32_t first) {
    std::vector<std::int32_t> cells{first};
    while (!cells.empty()) {
        open(game, cells);
        if (is_solved(game)) return true;
        cells = posterior_of(game, exact_channel(), {}).safe();
    }
    return false;
}

}  // namespace mineproof
