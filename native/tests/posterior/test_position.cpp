// A position that moved equals a fresh one, whatever was opened and taken back before.
#include <algorithm>
#include <optional>
#include <vector>

#include "board/game.hpp"
#include "posterior/conclusion.hpp"
#include "posterior/errors.hpp"
#include "posterior/position.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

bool same(const Box& a, const Box& b) {
    return a.size == b.size && std::ranges::equal(a.clue_list(), b.clue_list());
}

bool same(const Clue& a, const Clue& b) {
    return a.cell == b.cell && a.fewest == b.fewest && a.most == b.most &&
           a.capacity == b.capacity && std::ranges::equal(a.box_list(), b.box_list()) &&
           a.weight == b.weight;
}

bool same(const Component& a, const Component& b) {
    const auto equal = [](const auto& x, const auto& y) { return same(x, y); };
    if (!std::ranges::equal(a.boxes, b.boxes, equal)) return false;
    for (std::size_t i = 0; i < a.boxes.size(); ++i)
        if (!std::ranges::equal(a.cells_of(a.boxes[i]), b.cells_of(b.boxes[i]))) return false;
    return std::ranges::equal(a.clues, b.clues, equal);
}

double risk_of(const Position& position, const Conclusion& conclusion, std::int32_t cell) {
    switch (position.knowledge(cell)) {
        case Knowledge::safe:
            return 0.0;
        case Knowledge::mined:
            return 1.0;
        case Knowledge::unknown:
            return conclusion.interior_risk;
        case Knowledge::boxed:
            break;
    }
    const auto place = position.place(cell);
    auto index = static_cast<std::size_t>(place.box);
    for (std::int32_t i = 0; i < place.component; ++i)
        index += position.component(at(i)).boxes.size();
    return conclusion.box_risk[index];
}

void check_settled(const Position& position, const Posterior& fresh) {
    std::vector<std::int32_t> safe, mined;
    position.settled(safe, mined);
    if (position.question().trust_flags)
        for (std::int32_t c = 0; c < position.topology().cells(); ++c)
            if (position.cells()[at(c)] == cell::flagged) mined.push_back(c);
    std::ranges::sort(safe);
    std::ranges::sort(mined);
    if (position.total_is_slack()) {
        CHECK(safe == fresh.safe());
        CHECK(mined == fresh.mined());
    } else {
        CHECK(std::ranges::includes(fresh.safe(), safe));
        CHECK(std::ranges::includes(fresh.mined(), mined));
    }
}

void check_against_fresh(const Position& position) {
    const auto& question = position.question();
    std::optional<Posterior> fresh;
    try {
        fresh.emplace(question, Budget{}, Precision::exact_only);
    } catch (const Contradiction&) {
        CHECK(!position.possible() || !conclude(position.layouts(), position.outside()));
        return;
    }
    CHECK(position.possible());
    const Frontier frontier(question.evidence());
    CHECK(position.interior() == frontier.interior());
    CHECK(position.known_mines() == frontier.known_mines());
    CHECK(position.components() == frontier.components());
    if (position.components() != frontier.components()) return;
    for (std::size_t i = 0; i < frontier.components(); ++i)
        CHECK(same(position.component(i), frontier.component(i)));
    const auto conclusion = conclude(position.layouts(), position.outside());
    CHECK(conclusion.has_value());
    if (!conclusion) return;
    CHECK(conclusion->log_weight == fresh->log_weight());
    for (std::int32_t c = 0; c < question.topology->cells(); ++c)
        if (cell::is_closed(question.cells[at(c)]))
            CHECK(risk_of(position, *conclusion, c) == fresh->risk()[at(c)]);
    check_settled(position, *fresh);
}

// What a closed cell may show next: the truth, or now and then something else.
std::optional<Seen> draw_change(const Position& position, std::span<const std::uint8_t> mines,
                                const Channel& channel, std::uint64_t seed, Random& random) {
    const auto& topology = position.topology();
    const auto c = uniform_int(random, 0, topology.cells() - 1);
    const auto code = position.cells()[at(c)];
    if (!cell::is_closed(code) && code != cell::pending) return std::nullopt;
    if (code == cell::flagged && position.question().trust_flags) return std::nullopt;
    if (mines[at(c)]) return Seen{c, random.below(2) == 0 ? cell::flagged : cell::exploded};
    if (code == cell::closed && random.below(8) == 0) return Seen{c, cell::known_safe};
    if (code == cell::closed && random.below(8) == 0) return Seen{c, cell::pending};
    const int degree = topology.degree(c);
    if (channel.exact && random.below(10) == 0)
        return Seen{c, static_cast<std::int8_t>(uniform_int(random, 0, degree))};
    return Seen{c, draw_clue(channel, degree, true_count(topology, mines, c), seed, c)};
}

void moves_equal_fresh_positions(const std::shared_ptr<const Channel>& channel, int games) {
    Random random(7);
    LayoutCache cache;
    for (int game = 0; game < games; ++game) {
        const auto topology = any_board(random, 7, 8);
        const auto mines = random_mines(*topology, 0.1 + 0.3 * random.uniform(), random);
        const auto seed = random.next();
        Question question{
            topology,
            std::vector<std::int8_t>(at(topology->cells()), cell::closed),
            {static_cast<Prior::Kind>(random.below(3)), std::ranges::count(mines, 1), 0.3},
            channel,
            random.below(2) == 0};
        Position position(question, cache);
        for (int step = 0; step < 60; ++step) {
            if (!position.possible() || (position.moves() > 0 && random.below(4) == 0)) {
                const auto back = uniform_int(random, 1, static_cast<int>(position.moves()));
                for (int i = 0; i < back; ++i)
                    position.undo();
            } else {
                std::vector<Seen> changes;
                for (int i = uniform_int(random, 1, 3); i > 0; --i) {
                    const auto change = draw_change(position, mines, *channel, seed, random);
                    const auto known = [&](const Seen& other) {
                        return other.cell == change->cell;
                    };
                    if (change && std::ranges::none_of(changes, known)) changes.push_back(*change);
                }
                position.move(changes);
            }
            check_against_fresh(position);
            if (position.possible() && random.below(20) == 0) position.commit();
        }
    }
}

// Following a game gives the same as starting at each of its positions.
void positions_follow_games() {
    LayoutCache cache;
    const auto topology = rectangle(9, 12);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        const auto mines = random_mines(*topology, 0.15, random);
        Game game(topology, mines, {}, seed, {.keep_going = true}, {});
        Position position({topology,
                           {game.cells().begin(), game.cells().end()},
                           {Prior::Kind::total, game.mines(), 0.0},
                           exact_channel()},
                          cache);
        for (int step = 0; step < 25 && game.status() == Status::playing; ++step) {
            const auto c = uniform_int(random, 0, topology->cells() - 1);
            if (cell::is_closed(game.code_at(c)) && game.code_at(c) != cell::flagged) game.open(c);
            CHECK(position.follow(game.cells()));
            check_against_fresh(position);
        }
        // Cells do not close again.
        const std::vector<std::int8_t> closed(at(topology->cells()), cell::closed);
        CHECK(!position.follow(closed));
    }
}

}  // namespace

SUITE("posterior/position") {
    moves_equal_fresh_positions(exact_channel(), 120);
    for (const auto& channel : {lost_channel(0.3), cautious_channel(), random_channel(2)})
        moves_equal_fresh_positions(channel, 20);
    positions_follow_games();
}
