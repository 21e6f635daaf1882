// The order in which to close the clues of a component. This is the elimination game on the graph
// of clues that share a box, with heuristics that work well on boards.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "board/index.hpp"
#include "board/random.hpp"
#include "counting/frontier.hpp"

namespace mineproof {

// Bits of a partial sum of the clue.
double bits_of(const Clue& clue);

// The elimination game: the clue of the lowest score goes next, and the scores of others change.
class Elimination {
  public:
    struct Scored {
        double score;
        std::int32_t clue;

        friend auto operator<=>(const Scored&, const Scored&) = default;
    };

    explicit Elimination(std::size_t clues) : score_(clues, 0.0) {}

    void rescore(std::int32_t clue, double score) {
        score_[at(clue)] = score;
        queue_.push({score, clue});
    }
    // The clue to eliminate next; nothing if all are gone.
    std::optional<Scored> next();
    void eliminate(std::int32_t clue) {
        score_[at(clue)] = std::numeric_limits<double>::quiet_NaN();
    }

  private:
    std::vector<double> score_;
    // Scores that have changed stay in the queue.
    std::priority_queue<Scored, std::vector<Scored>, std::greater<>> queue_;
};

// More clues open at the same time make counting hopeless.
inline constexpr std::size_t most_open = 256;

class ClueGraph {
  public:
    explicit ClueGraph(const Component& component);

    // What to minimise: the states of the next table, or the pairs of clues that it connects.
    enum class Rule { size, fill };

    // Clues by ascending score; `jitter` > 0 breaks near ties at random. Empty if too many clues
    // would be open at the same time.
    std::vector<std::int32_t> order(Rule rule, double jitter, Random& random) const;

    // Clues by breadth-first search from `start`.
    std::vector<std::int32_t> sweep(std::int32_t start) const;

  private:
    using Lists = std::vector<std::vector<std::int32_t>>;

    double size_score(std::span<const std::int32_t> list) const;
    double fill_score(const Lists& lists, std::int32_t id) const;

    const Component& component_;
    Lists neighbours_;
    std::vector<double> weight_;
};

// The same for small components, which are the most common. A set of clues is a bit mask.
class SmallClueGraph {
  public:
    static constexpr std::size_t most_clues = 64;

    explicit SmallClueGraph(const Component& component);

    // Clues by ascending size score.
    std::span<const std::int32_t> order();

  private:
    double score(std::size_t id) const;
    std::size_t cheapest(std::uint64_t among) const;

    const Component& component_;
    std::size_t count_;
    std::array<std::uint64_t, most_clues> neighbours_{};
    std::array<double, most_clues> weight_, score_;
    std::array<std::int32_t, most_clues> order_;
};

}  // namespace mineproof
