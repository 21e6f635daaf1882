#include "posterior/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "board/index.hpp"
#include "counting/product_tree.hpp"
#include "counting/rings.hpp"
#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

namespace {

constexpr std::size_t walks = 10;
// In each round of a walk every loose cell is redrawn. The first rounds forget the start. The two
// halves of the other rounds are compared.
constexpr int first_rounds = 4;
constexpr int half_rounds = 8;
// Cells that are redrawn together are in two places, so that mines can move between them under a
// known total.
constexpr std::size_t places = 2;
constexpr std::size_t cells_per_place = 20;
// With more cells an estimate would take a minute.
constexpr std::size_t most_loose = 5000;
constexpr Budget per_redraw{.nodes = 400'000, .bytes = std::int64_t{64} << 20};
// The most that the means of halves may vary compared with their rounds (the R-hat statistic).
constexpr double most_scatter = 1.3;
// To find a layout that fits, clues are trusted little at first, then more and more.
constexpr std::array doubts{0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-4, 1e-6};
constexpr int patience = 40;  // rounds with the least doubt

using Cells = std::vector<std::int32_t>;

// A channel that shows any symbol with at least a small chance.
std::shared_ptr<const Channel> doubted(const Channel& channel, double doubt) {
    auto result = std::make_shared<Channel>(channel);
    result->exact = false;
    for (int degree = 0; degree <= max_degree; ++degree)
        for (int count = 0; count <= degree; ++count)
            for (int seen = 0; seen < symbols; ++seen) {
                const double chance = channel.exact ? (count == seen ? 1.0 : 0.0)
                                                    : channel.likelihood(degree, count, seen);
                result->likelihood(degree, count, seen) = (1.0 - doubt) * chance + doubt / symbols;
            }
    return result;
}

// Sums over the risks of every cell in some rounds.
struct Tally {
    explicit Tally(std::size_t cells) : times(cells, 0), sum(cells, 0.0), squares(cells, 0.0) {}

    // Adds the risks of the cells that are not fixed.
    void add(std::span<const std::int8_t> codes, std::span<const double> risk) {
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (codes[i] != cell::closed && codes[i] != cell::flagged) continue;
            ++times[i];
            sum[i] += risk[i];
            squares[i] += risk[i] * risk[i];
        }
    }
    double mean(std::size_t cell) const { return sum[cell] / times[cell]; }
    double variance(std::size_t cell) const {
        return std::max(squares[cell] / times[cell] - mean(cell) * mean(cell), 0.0);
    }

    std::vector<int> times;
    std::vector<double> sum, squares;
};

// A random walk through the layouts that fit (Gibbs sampling). A redraw replaces the cells around
// some places by an exact sample given all other cells, so layouts are visited as often as they are
// likely. Each redraw gives exact risks given the fixed cells, and their mean is the estimate.
class Walk {
  public:
    // Only loose cells are ever fixed. The others are exact in every redraw.
    Walk(const Question& question, const Cells& loose, std::size_t loose_mines, Budget budget,
         LayoutCache& cache, Random& random)
        : question_(question),
          loose_(loose),
          is_loose_(question.cells.size(), 0),
          due_(question.cells.size(), 0),
          reached_(question.cells.size(), 0),
          budget_(budget),
          cache_(cache),
          random_(random) {
        for (const auto cell : loose_)
            is_loose_[at(cell)] = 1;
        shuffle();
        for (std::size_t i = 0; i < loose_.size(); ++i)
            fix(loose_[i], i < loose_mines);
        const auto channel = question_.channel;
        for (const auto doubt : doubts) {
            question_.channel = doubted(*channel, doubt);
            round(nullptr);
        }
        const auto least = question_.channel;
        for (int rounds = 0;; ++rounds) {
            question_.channel = channel;
            if (Frontier(question_.evidence()).clash().empty()) break;
            if (rounds == patience)
                throw BudgetExceeded(
                    "the frontier is too wide to count within the budget, and no layout was found "
                    "to start an estimate from");
            question_.channel = least;
            round(nullptr);
        }
    }

    void round(Tally* tally) {
        shuffle();
        for (const auto cell : loose_)
            due_[at(cell)] = 1;
        for (std::size_t next = 0; next < loose_.size();) {
            Cells block;
            for (std::size_t place = 0; place < places; ++place) {
                while (next < loose_.size() && !due_[at(loose_[next])])
                    ++next;
                if (next < loose_.size()) reach_out(loose_[next++], block);
            }
            if (!block.empty()) redraw(block, tally);
        }
    }

  private:
    void shuffle() {
        for (std::size_t i = loose_.size(); i > 1; --i)
            std::swap(loose_[i - 1], loose_[random_.below(i)]);
    }

    // Adds the loose cells nearest to `centre`.
    void reach_out(std::int32_t centre, Cells& block) {
        Cells queue{centre};
        reached_[at(centre)] = 1;
        const auto enough = block.size() + cells_per_place;
        for (std::size_t i = 0; i < queue.size() && block.size() < enough; ++i) {
            const auto cell = queue[i];
            if (is_loose_[at(cell)] && due_[at(cell)] != taken) {
                block.push_back(cell);
                due_[at(cell)] = taken;
            }
            for (const auto other : question_.topology->neighbours(cell)) {
                if (reached_[at(other)]) continue;
                reached_[at(other)] = 1;
                queue.push_back(other);
            }
        }
        for (const auto cell : queue)
            reached_[at(cell)] = 0;
    }

    void redraw(std::span<const std::int32_t> block, Tally* tally) {
        std::vector<std::int8_t> before;
        for (const auto cell : block) {
            before.push_back(question_.cells[at(cell)]);
            question_.cells[at(cell)] = cell::closed;
            due_[at(cell)] = 0;
        }
        try {
            const Posterior given(question_, budget_, Precision::exact_only, &cache_);
            if (tally) tally->add(question_.cells, given.risk());
            const auto layout = given.sample(1, random_.next());
            for (const auto cell : block)
                fix(cell, layout[at(cell)]);
        } catch (const BudgetExceeded&) {
            if (block.size() == 1) throw;
            for (std::size_t i = 0; i < block.size(); ++i)
                question_.cells[at(block[i])] = before[i];
            redraw(block.first(block.size() / 2), tally);
            redraw(block.subspan(block.size() / 2), tally);
        }
    }

    void fix(std::int32_t cell, bool mined) {
        question_.cells[at(cell)] = mined ? cell::exploded : cell::known_safe;
    }

    static constexpr std::uint8_t taken = 2;

    Question question_;
    Cells loose_;
    std::vector<std::uint8_t> is_loose_, due_, reached_;
    Budget budget_;
    LayoutCache& cache_;
    Random& random_;
};

// Loose cells are the cells of components that are too wide to count.
Cells loose_cells(const Frontier& frontier, Parts parts) {
    Cells result;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i]) continue;
        for (const auto& box : frontier.component(i).boxes) {
            const auto cells = frontier.cells_of(box);
            result.insert(result.end(), cells.begin(), cells.end());
        }
    }
    return result;
}

// How many mines the loose cells start with: about their share of the mines left, but so that the
// other cells can hold the rest.
std::size_t starting_mines(const Outside& outside, Parts parts, std::size_t loose) {
    std::vector<PolynomialOf<std::uint8_t>> supports;
    for (const auto& part : parts)
        if (part) supports.push_back({part->total().fewest, part->total_support()});
    const ProductTree<BooleanRing> tree(supports);
    const auto& counted = tree.all();
    const auto holds = [&](std::int64_t mines) {
        for (std::size_t i = 0; i < counted.weight.size(); ++i) {
            const auto all = mines + counted.fewest + static_cast<std::int64_t>(i);
            if (counted.weight[i] && all >= outside.fewest() && all <= outside.most()) return true;
        }
        return false;
    };
    const auto most = static_cast<std::int64_t>(loose);
    const double share = outside.odds() / (1.0 + outside.odds());
    const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(loose));
    for (std::int64_t off = 0; off <= most; ++off)
        for (const auto mines : {wanted - off, wanted + off})
            if (mines >= 0 && mines <= most && holds(mines)) return at(mines);
    return 0;
}

// What a redraw may spend, in addition to the counted components, which are part of every redraw.
Budget redraw_budget(Parts parts) {
    constexpr auto unlimited = std::numeric_limits<std::int64_t>::max() / 2;
    Budget left{unlimited, unlimited};
    for (const auto& part : parts)
        if (part) part->charge(left);
    return {unlimited - left.nodes + per_redraw.nodes, unlimited - left.bytes + per_redraw.bytes};
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
    const double mean = mean_of(values);
    double squares = 0.0;
    for (const auto value : values)
        squares += (value - mean) * (value - mean);
    return squares / static_cast<double>(values.size() - 1);
}

// The risk of one cell from the halves of all walks.
class Summary {
  public:
    Summary(const std::vector<Tally>& halves, std::size_t cell) {
        std::vector<double> means;
        std::vector<double> variances;
        for (const auto& half : halves) {
            means.push_back(half.mean(cell));
            variances.push_back(half.variance(cell));
            times_ += half.times[cell];
        }
        std::vector<double> whole;
        for (std::size_t i = 0; i < means.size(); i += 2)
            whole.push_back((means[i] + means[i + 1]) / 2);
        mean_ = mean_of(means);
        error_ = std::sqrt(variance_of(whole) / static_cast<double>(whole.size()));
        const double within = mean_of(variances);
        scatter_ = within > 0.0 ? std::sqrt(1.0 + variance_of(means) / within) : 1.0;
    }

    double scatter() const { return scatter_; }

    // If no redraw left a doubt, an exception may still occur about once in all redraws.
    double mean() const { return std::clamp(mean_, share() / 2, 1.0 - share() / 2); }
    double error() const { return std::max(error_, mean() == mean_ ? 0.0 : share()); }

  private:
    double share() const { return 1.0 / (times_ + 1.0); }

    double mean_, error_, scatter_;
    double times_ = 0.0;
};

}  // namespace

Estimate estimate(const Question& question, const Frontier& frontier, Parts parts,
                  const Outside& outside) {
    const auto cells = question.cells.size();
    auto settled = question;
    for (const auto cell : frontier.safe())
        settled.cells[at(cell)] = cell::known_safe;
    for (const auto cell : frontier.mined())
        settled.cells[at(cell)] = cell::exploded;
    const auto loose = loose_cells(frontier, parts);
    if (loose.size() > most_loose)
        throw BudgetExceeded("the frontier is too wide to count, and too large to estimate");
    const auto mines = starting_mines(outside, parts, loose.size());
    const auto budget = redraw_budget(parts);
    LayoutCache cache;
    std::vector<Tally> halves;
    for (std::size_t c = 0; c < walks; ++c) {
        Random random(c);
        Walk walk(settled, loose, mines, budget, cache, random);
        for (int round = 0; round < first_rounds; ++round)
            walk.round(nullptr);
        for (int half = 0; half < 2; ++half) {
            halves.emplace_back(cells);
            for (int round = 0; round < half_rounds; ++round)
                walk.round(&halves.back());
        }
    }
    Estimate result{std::vector(cells, 0.0), std::vector(cells, 0.0)};
    double worst = 1.0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (halves[0].times[cell] == 0) continue;
        const Summary summary(halves, cell);
        worst = std::max(worst, summary.scatter());
        result.risk[cell] = summary.mean();
        result.error[cell] = summary.error();
    }
    if (worst > most_scatter)
        throw BudgetExceeded(
            "the frontier is too wide to count within the budget, and estimates of it disagree");
    return result;
}

}  // namespace mineproof
