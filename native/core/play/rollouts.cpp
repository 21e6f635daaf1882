#include "play/rollouts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "board/cell.hpp"
#include "board/game.hpp"
#include "board/index.hpp"
#include "board/random.hpp"
#include "board/reveal.hpp"
#include "play/champion.hpp"
#include "posterior/errors.hpp"
#include "search/endings.hpp"

namespace mineproof {

namespace {

// Plays the sampled boards: the setting `1` of search/strength.py.
constexpr Strength quick{{6, 0.9, 2}, {}, 300};
// The number of candidates that are tried.
constexpr std::size_t finalists = 5;
// Boards of more cells than this take more time, so fewer of them are sampled. If they would be
// fewer than the least number, none are.
constexpr std::size_t expert_cells = 480;
constexpr std::size_t fewest_boards = 20;
// The standard deviation of the chance to win around the one that the look-ahead expects, relative
// to that chance. Measured at guesses of expert games.
constexpr double surprise = 0.03;
// While more safe cells are closed, the best candidates win about equally often, and few boards
// cannot tell them apart.
constexpr std::int64_t most_safe_cells = 100;

// Whether few safe cells are closed, the game can be won, and sampled boards are like the real one.
bool can_be_tried(const Question& question) {
    const auto rules_out = [](std::int8_t code) {
        return code == cell::pending || code == cell::exploded;
    };
    return question.channel->exact && question.prior.kind == Prior::Kind::total &&
           std::ranges::none_of(question.cells, rules_out) &&
           std::ranges::count_if(question.cells, cell::is_closed) <=
               question.prior.mines + most_safe_cells;
}

// The chance to win by a cell minus that by the first cell. It lies between the difference that the
// look-ahead expects, which is relative to the chance of the first cell, and the mean difference on
// the boards. The noisier that mean, the less it counts.
double gain(std::span<const double> chances, std::size_t cells, std::size_t cell, double expected) {
    double first = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < chances.size(); row += cells) {
        const double more = chances[row + cell] - chances[row];
        first += chances[row];
        sum += more;
        squares += more * more;
    }
    const auto boards = static_cast<double>(chances.size() / cells);
    const double win = first / boards;
    const double mean = sum / boards;
    const double noise = (squares / boards - mean * mean) / boards;
    const double variance = surprise * win * surprise * win;
    const double trust = variance > 0.0 ? variance / (variance + noise) : 0.0;
    return win * expected + trust * (mean - win * expected);
}

class Rollout {
  public:
    Rollout(const Question& question, Player& player, std::span<const std::uint8_t> mines,
            std::uint64_t seed)
        : question_(question), player_(player), mines_(mines.begin(), mines.end()), random_(seed) {}

    double play(std::int32_t cell, double risk) {
        double chance = guess(cell, risk);
        player_.begin(random_.next());
        while (!won()) {
            const auto decision = player_.decide(question_);
            if (decision.actions.empty()) break;
            for (const auto& [move, certain, its_risk] : decision.actions) {
                if (!cell::is_closed(question_.cells[at(move.cell)])) continue;
                if (move.kind == MoveKind::flag) {
                    question_.cells[at(move.cell)] = cell::flagged;
                } else if (certain) {
                    open(move.cell);
                } else {
                    if (decision.ending)
                        if (const auto rest = ending()) return chance * *rest;
                    chance *= guess(move.cell, its_risk);
                }
            }
        }
        return chance;
    }

  private:
    bool won() const {
        for (std::size_t i = 0; i < mines_.size(); ++i)
            if (!mines_[i] && !cell::is_open(question_.cells[i])) return false;
        return true;
    }

    Posterior posterior() const {
        auto trusting = question_;
        trusting.trust_flags = true;
        return {std::move(trusting), Budget{}, Precision::exact_only};
    }

    // The chance to win by optimal play, if it can be computed.
    std::optional<double> ending() const {
        const auto endings = find_endings(posterior(), quick.ending_layouts);
        if (!endings.complete) return std::nullopt;
        double chance = 1.0;
        const auto add = [&](const Ending& each) {
            EndingSearch search(each, quick.ending_work);
            const auto won = search.value();
            if (!won) return false;
            chance *= *won / static_cast<double>(each.layouts());
            return true;
        };
        for (const auto& each : endings.isolated)
            if (!add(each)) return std::nullopt;
        if (endings.joint && !add(*endings.joint)) return std::nullopt;
        return chance;
    }

    double guess(std::int32_t cell, double risk) {
        if (mines_[at(cell)]) {
            question_.cells[at(cell)] = cell::known_safe;
            mines_ = posterior().sample(1, random_.next());
            question_.cells[at(cell)] = cell::closed;
        }
        open(cell);
        return 1.0 - risk;
    }

    void open(std::int32_t first) {
        auto& cells = question_.cells;
        const auto& topology = *question_.topology;
        const auto show = [&](std::int32_t cell) {
            cells[at(cell)] = static_cast<std::int8_t>(true_count(topology, mines_, cell));
            return cells[at(cell)] == 0;
        };
        reveal(topology, first, queue_, show,
               [&](std::int32_t cell) { return cell::is_closed(cells[at(cell)]); });
    }

    Question question_;
    Player& player_;
    std::vector<std::uint8_t> mines_;
    Random random_;
    std::vector<std::int32_t> queue_;
};

}  // namespace

std::vector<double> roll_out(const Posterior& posterior, std::span<const std::int32_t> cells,
                             std::size_t boards, std::uint64_t seed) {
    ChampionPlayer player({}, quick);
    const auto layouts = posterior.sample(boards, seed);
    const auto size = posterior.question().cells.size();
    std::vector<double> chances;
    for (std::size_t board = 0; board < boards; ++board)
        for (const auto cell : cells) {
            const auto layout = std::span(layouts).subspan(board * size, size);
            Rollout rollout(posterior.question(), player, layout, seed + board);
            chances.push_back(rollout.play(cell, posterior.risk()[at(cell)]));
        }
    return chances;
}

const Candidate& try_on_boards(const Posterior& posterior, std::span<const Candidate> candidates,
                               std::size_t boards) {
    const auto& best = candidates.front();
    candidates = candidates.first(std::min(candidates.size(), finalists));
    const auto size = posterior.question().cells.size();
    boards = std::min(boards, boards * expert_cells / size);
    if (boards < fewest_boards || candidates.size() < 2 || !can_be_tried(posterior.question()))
        return best;
    std::vector<std::int32_t> cells;
    for (const auto& candidate : candidates)
        cells.push_back(candidate.cell);
    try {
        const auto chances = roll_out(posterior, cells, boards, 0);
        std::vector<double> gains(cells.size());
        for (std::size_t i = 1; i < cells.size(); ++i)
            gains[i] = gain(chances, cells.size(), i, candidates[i].value / best.value - 1.0);
        return candidates[at(std::ranges::max_element(gains) - gains.begin())];
    } catch (const BudgetExceeded&) {
        return best;
    }
}

}  // namespace mineproof
