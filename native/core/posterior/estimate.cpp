#include "posterior/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "counting/counter.hpp"
#include "posterior/block.hpp"
#include "posterior/clash.hpp"
#include "posterior/combination.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

namespace {

constexpr std::uint64_t walk_count = 10;
// A walk redraws every block once in a round. Two halves of so many rounds are compared.
constexpr std::size_t block_count = 12;
// Boxes that never changed, for which other layouts are looked for.
constexpr std::size_t most_doubtful = 12;
// The most that the means of halves may vary compared with their redraws (the R-hat statistic), if
// they vary by more than matters.
constexpr double most_scatter = 1.1;
constexpr double matters = 0.01;
// To find a layout that fits, clues are trusted little at first, then more and more.
constexpr std::array doubts{0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-4, 1e-6};
constexpr std::size_t starting_blocks = 6;
constexpr int patience = 40;  // rounds with the least doubt
// Risks that are known better than that are rounded.
constexpr double rounding = 1e-12;

ClueWeights weights_of(const LooseParts& parts, double doubt = 0.0) {
    ClueWeights result;
    for (const auto& clue : parts.clues) {
        result.push_back(clue.weight);
        for (auto& weight : result.back())
            weight = (1.0 - doubt) * weight + doubt;
    }
    return result;
}

// The same clues, if each might show anything.
LooseParts doubted(LooseParts parts) {
    for (auto& clue : parts.clues) {
        clue.fewest = 0;
        clue.most = static_cast<std::int8_t>(clue.capacity);
    }
    return parts;
}

// What is known of every box, and of the mines in all of them, in some redraws.
struct Tally {
    Tally(std::size_t boxes, std::size_t cells)
        : times(boxes, 0.0), sum(boxes, 0.0), squares(boxes, 0.0), mines(cells + 1, 0.0) {}

    void add(const LooseParts& parts, const Block& block, const Redrawn& redrawn) {
        for (std::size_t p = 0; p < redrawn.values.size(); ++p) {
            const auto boxes = block.pieces()[p].boxes();
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                const auto box = at(boxes[b]);
                const double share =
                    mean_share(values_of(redrawn.values[p], b), parts.boxes[box].size);
                times[box] += 1.0;
                sum[box] += share;
                squares[box] += share * share;
            }
        }
        for (std::size_t i = 0; i < redrawn.mines.weight.size(); ++i)
            if (redrawn.mines.weight[i] > 0.0)
                mines[at(redrawn.mines.fewest) + i] += redrawn.mines.weight[i];
    }
    double mean(std::size_t box) const { return sum[box] / times[box]; }
    double variance(std::size_t box) const {
        return std::max(squares[box] / times[box] - mean(box) * mean(box), 0.0);
    }
    double mean_mines() const {
        double all = 0.0;
        double weighted = 0.0;
        for (std::size_t i = 0; i < mines.size(); ++i) {
            all += mines[i];
            weighted += mines[i] * static_cast<double>(i);
        }
        return weighted / all;
    }

    std::vector<double> times, sum, squares, mines;
};

// What every walk shares.
struct Course {
    Course(const LooseParts& loose, std::span<const Wide> elsewhere, double prior_odds,
           const EstimateLimits& limits)
        : parts(loose), around(elsewhere), odds(prior_odds) {
        Random random(0);
        const double cost =
            limits.per_redraw + limits.per_box * static_cast<double>(loose.boxes.size());
        blocks = BlockMaker(loose, cost, random).make_all(block_count);
        starting = BlockMaker(doubted(loose), cost, random).make_all(starting_blocks);
    }

    const LooseParts& parts;
    std::span<const Wide> around;  // the weight of everything else by mines in all boxes
    double odds;
    std::vector<Block> blocks, starting;
};

// A random walk through the layouts that fit (Gibbs sampling). A redraw replaces all boxes of a
// block by an exact sample given all others, so layouts are visited as often as they are likely.
class Walk {
  public:
    Walk(Course& course, std::uint64_t seed)
        : course_(course), random_(seed), layout_(course.parts), order_(course.blocks.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    // Finds a layout that fits. Returns false if it takes too long.
    bool start() {
        scatter_mines();
        for (const auto doubt : doubts)
            redraw_doubted(doubt);
        for (int rounds = 0; !fits(); ++rounds) {
            if (rounds == patience) return false;
            redraw_doubted(doubts.back());
        }
        return true;
    }

    void round(Tally& tally) {
        for (std::size_t i = order_.size(); i > 1; --i)
            std::swap(order_[i - 1], order_[random_.below(i)]);
        for (const auto id : order_) {
            auto& block = course_.blocks[id];
            tally.add(course_.parts, block, redraw(block, weights_, true));
        }
    }

  private:
    Redrawn redraw(Block& block, const ClueWeights& weights, bool report) {
        return block.redraw(course_.parts, weights, course_.around, course_.odds, layout_, random_,
                            report);
    }

    bool fits() const {
        for (std::size_t i = 0; i < weights_.size(); ++i)
            if (weights_[i][at(layout_.clue_mines[i])] == 0.0) return false;
        return true;
    }

    void redraw_doubted(double doubt) {
        const auto weights = weights_of(course_.parts, doubt);
        for (auto& block : course_.starting)
            redraw(block, weights, false);
    }

    // Lays about the share of mines that is expected, but so that the rest of the board can hold
    // the others.
    void scatter_mines() {
        const auto& boxes = course_.parts.boxes;
        std::vector<std::size_t> cells;
        for (std::size_t b = 0; b < boxes.size(); ++b)
            cells.insert(cells.end(), boxes[b].size, b);
        const double share = course_.odds / (1.0 + course_.odds);
        const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(cells.size()));
        std::size_t mines = 0;
        std::int64_t farthest = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 0; i < course_.around.size(); ++i) {
            const auto off = std::abs(static_cast<std::int64_t>(i) - wanted);
            if (!course_.around[i].positive() || off >= farthest) continue;
            farthest = off;
            mines = i;
        }
        for (std::size_t i = 0; i < mines; ++i) {
            std::swap(cells[i], cells[i + random_.below(cells.size() - i)]);
            layout_.set(course_.parts, cells[i], layout_.box_mines[cells[i]] + 1);
        }
    }

    Course& course_;
    Random random_;
    LooseLayout layout_;
    std::vector<std::size_t> order_;
    const ClueWeights weights_ = weights_of(course_.parts);
};

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

// The mean of independent walks, with its standard error.
struct Mean {
    explicit Mean(std::span<const double> by_walk)
        : value(mean_of(by_walk)),
          error(std::sqrt(variance_of(by_walk) / static_cast<double>(by_walk.size()))) {}

    double value, error;
};

// The risk of one box from the halves of all walks.
class Summary {
  public:
    Summary(const std::vector<Tally>& halves, std::size_t box) {
        std::vector<double> means;
        std::vector<double> variances;
        for (const auto& half : halves) {
            means.push_back(half.mean(box));
            variances.push_back(half.variance(box));
            times_ += half.times[box];
        }
        std::vector<double> whole;
        for (std::size_t i = 0; i < means.size(); i += 2)
            whole.push_back((means[i] + means[i + 1]) / 2);
        const Mean mean(whole);
        mean_ = mean.value;
        error_ = mean.error;
        scatter_ = std::sqrt(1.0 + variance_of(means) / (mean_of(variances) + matters * matters));
    }

    double scatter() const { return scatter_; }
    // Whether all redraws agreed that the box is full, or that it is empty.
    bool is_constant() const { return mean_ == 0.0 || mean_ == 1.0; }

    // If no redraw left a doubt, an exception may still occur about once in all redraws.
    double risk() const { return std::clamp(mean_, share() / 2, 1.0 - share() / 2); }
    double error() const { return std::hypot(error_, share() / 2); }

  private:
    double share() const { return 1.0 / (times_ + 1.0); }

    double mean_, error_, scatter_;
    double times_ = 0.0;
};

// Counts what can be counted within the limits of an estimate, whatever the question's budget.
void count_more(const Question& question, const Frontier& frontier,
                std::vector<std::shared_ptr<const Layouts>>& parts, const Budget& limit) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i]) continue;
        const auto component = frontier.component(i);
        Counter counter(limit);
        const auto task = counter.plan(component);
        if (task.cost() > static_cast<double>(limit.nodes)) continue;
        parts[i] = counter.count(task);
        if (parts[i] && !parts[i]->possible()) throw explain_clash(question.evidence(), component);
    }
}

// The counted components and all else that is outside the loose boxes.
class Elsewhere {
  public:
    Elsewhere(const Frontier& frontier, Parts parts, const Outside& outside)
        : frontier_(frontier), outside_(outside) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts[i]) continue;
            counted_.push_back(parts[i]);
            component_.push_back(i);
        }
    }

    std::size_t parts() const { return counted_.size(); }
    // If the numbers of mines in the loose boxes have these weights. They are the last part.
    Combination given(const PolynomialOf<Wide>& loose) const {
        auto totals = Combination::totals_of(counted_);
        totals.push_back(loose);
        return {std::move(totals), outside_};
    }

    void write_risks(const Combination& combination, std::vector<double>& risk) const {
        for (std::size_t i = 0; i < counted_.size(); ++i) {
            const auto boxes = frontier_.component(component_[i]).boxes;
            const auto values = counted_[i]->box_values(combination.around(i));
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                const double share = mean_share(values_of(values, b), boxes[b].size);
                for (const auto cell : frontier_.cells_of(boxes[b]))
                    risk[at(cell)] = share;
            }
        }
        if (outside_.interior() == 0) return;
        const double interior = outside_.interior_risk(combination.mines());
        for (std::size_t i = 0; i < risk.size(); ++i)
            if (frontier_.in_interior(static_cast<std::int32_t>(i))) risk[i] = interior;
    }

  private:
    const Frontier& frontier_;
    const Outside& outside_;
    std::vector<std::shared_ptr<const Layouts>> counted_;
    std::vector<std::size_t> component_;  // by counted part
};

// Whether few clues near a box prove that it is always full or always empty.
bool is_settled(const LooseParts& parts, std::size_t box) {
    constexpr std::size_t most_near = 64;
    constexpr double most_cost = 300'000.0;
    for (std::size_t near = 4; near <= most_near; near *= 2) {
        const auto some = clues_near(parts, box, near);
        Counter counter({}, nullptr, most_cost);
        const auto task = counter.plan({some.boxes, some.clues});
        if (task.cost() > most_cost) return false;
        const auto layouts = counter.count(task);
        if (!layouts) return false;
        const std::vector<std::uint8_t> any(layouts->total().weight.size(), 1);
        const auto possible = layouts->box_support(any);  // the box itself comes first
        const auto numbers =
            std::accumulate(possible.begin(), possible.begin() + values_per_box, 0);
        if (numbers == 1 && (possible[0] || possible[some.boxes[0].size])) return true;
        if (some.clues.size() < near) return false;
    }
    return false;
}

// Whether there is a layout in which a box that seemed to be always full or always empty is not.
bool has_other_layout(LooseParts parts, std::size_t box, bool full, std::span<const Wide> around,
                      double odds, const EstimateLimits& limits) {
    const auto size = parts.boxes[box].size;
    Clue other{.cell = -1,
               .fewest = static_cast<std::int8_t>(full ? 0 : 1),
               .most = static_cast<std::int8_t>(full ? size - 1 : size),
               .capacity = size,
               .boxes = 1};
    other.box[0] = static_cast<std::int32_t>(box);
    for (int mines = other.fewest; mines <= other.most; ++mines)
        other.weight[at(mines)] = 1.0;
    auto& clues = parts.boxes[box];
    if (clues.clues == max_degree) return false;
    clues.clue[clues.clues++] = static_cast<std::int32_t>(parts.clues.size());
    parts.clues.push_back(other);
    Course course(parts, around, odds, limits);
    return Walk(course, 0).start();
}

class Estimator {
  public:
    Estimator(const Question& question, const Frontier& frontier, Parts parts,
              const Outside& outside, const EstimateLimits& limits)
        : limits_(limits), outside_(outside), elsewhere_(frontier, parts, outside) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i]) continue;
            const auto component = frontier.component(i);
            loose_.add(component);
            for (const auto& box : component.boxes) {
                const auto cells = frontier.cells_of(box);
                cells_.insert(cells_.end(), cells.begin(), cells.end());
            }
        }
        if (cells_.size() > limits.cells)
            throw BudgetExceeded("the frontier is too wide to count, and too large to estimate");
        // With these weights all numbers of mines matter about the same.
        const double log_odds = std::log(outside.odds());
        PolynomialOf<Wide> total{0, {}};
        for (std::size_t mines = 0; mines <= cells_.size(); ++mines)
            total.weight.push_back(Wide::from_log(-log_odds * static_cast<double>(mines)));
        const auto combination = elsewhere_.given(total);
        if (!combination.fits()) throw explain_total_clash(question.evidence());
        const auto around = combination.around(elsewhere_.parts());
        around_.assign(around.begin(), around.end());
        result_.risk.assign(question.cells.size(), 0.0);
        result_.error.assign(question.cells.size(), rounding);
        if (cells_.empty()) elsewhere_.write_risks(combination, result_.risk);
    }

    Estimate run() {
        if (cells_.empty()) return std::move(result_);
        walk();
        find_settled();
        // Step 6.6. Conclude the risks of all other cells from the mines of the loose boxes.
        conclude_elsewhere();
        std::size_t next = 0;
        for (std::size_t b = 0; b < loose_.boxes.size(); ++b)
            for (int i = 0; i < loose_.boxes[b].size; ++i) {
                const auto cell = cells_[next++];
                result_.risk[at(cell)] = summaries_[b].risk();
                result_.error[at(cell)] = summaries_[b].error();
                if (is_settled_[b])
                    (summaries_[b].risk() < 0.5 ? result_.safe : result_.mined).push_back(cell);
            }
        return std::move(result_);
    }

  private:
    void walk() {
        // Step 6.2. Choose the blocks.
        Course course(loose_, around_, outside_.odds(), limits_);
        // Step 6.3. Start walks, each from a layout that fits.
        std::vector<Walk> walks;
        for (std::uint64_t seed = 0; seed < walk_count; ++seed) {
            walks.emplace_back(course, seed);
            if (!walks.back().start())
                throw BudgetExceeded(
                    "the frontier is too wide to count within the budget, and no layout was found "
                    "to start an estimate from");
        }
        double per_round = 0.0;
        for (const auto& block : course.blocks)
            per_round += 2.0 * walk_count * block.cost();
        double spent = 0.0;
        // Step 6.4. Redraw all blocks in rounds, until the halves of the walks agree. Rounds that
        // do not suffice only serve to forget the start, and twice as many follow.
        for (int rounds = 1;; rounds *= 2) {
            halves_.clear();
            for (auto& walk : walks)
                for (int half = 0; half < 2; ++half) {
                    halves_.emplace_back(loose_.boxes.size(), cells_.size());
                    for (int round = 0; round < rounds; ++round)
                        walk.round(halves_.back());
                }
            summaries_.clear();
            double worst = 1.0;
            for (std::size_t b = 0; b < loose_.boxes.size(); ++b) {
                summaries_.emplace_back(halves_, b);
                worst = std::max(worst, summaries_.back().scatter());
            }
            if (rounds > 1 && worst <= most_scatter) return;
            spent += rounds * per_round;
            if (spent + 2 * rounds * per_round > limits_.transitions)
                throw BudgetExceeded(
                    "the frontier is too wide to count within the budget, and estimates of it "
                    "disagree");
        }
    }

    // A box that never changed may be certain, or the walks may have missed other layouts.
    void find_settled() {
        // Step 6.5. Prove what never changed, or look for a layout in which it is different.
        is_settled_.assign(loose_.boxes.size(), 0);
        std::vector<std::size_t> doubtful;
        for (std::size_t b = 0; b < loose_.boxes.size(); ++b) {
            if (!summaries_[b].is_constant()) continue;
            is_settled_[b] = is_settled(loose_, b);
            if (!is_settled_[b]) doubtful.push_back(b);
        }
        Random random(1);
        for (std::size_t i = 0; i < std::min(doubtful.size(), most_doubtful); ++i) {
            std::swap(doubtful[i], doubtful[i + random.below(doubtful.size() - i)]);
            const auto box = doubtful[i];
            if (has_other_layout(loose_, box, summaries_[box].risk() > 0.5, around_,
                                 outside_.odds(), limits_))
                throw BudgetExceeded(
                    "the frontier is too wide to count within the budget, and estimates of it miss "
                    "some layouts");
        }
    }

    // The rest of the board depends on the loose boxes only through their number of mines.
    void conclude_elsewhere() {
        std::vector<double> mines(cells_.size() + 1, 0.0);
        std::vector<double> means;
        for (std::size_t i = 0; i < halves_.size(); i += 2) {
            means.push_back((halves_[i].mean_mines() + halves_[i + 1].mean_mines()) / 2);
            for (std::size_t m = 0; m < mines.size(); ++m)
                mines[m] += halves_[i].mines[m] + halves_[i + 1].mines[m];
        }
        const Mean mean(means);
        double spread = 0.0;
        for (std::size_t m = 0; m < mines.size(); ++m) {
            const double off = static_cast<double>(m) - mean.value;
            spread += mines[m] * off * off;
        }
        spread /= std::accumulate(mines.begin(), mines.end(), 0.0);
        const auto write_tilted = [&](double log_tilt, std::vector<double>& risk) {
            PolynomialOf<Wide> total{0, std::vector<Wide>(mines.size())};
            for (std::size_t m = 0; m < mines.size(); ++m)
                if (mines[m] > 0.0)
                    total.weight[m] =
                        Wide::from_log(std::log(mines[m]) - around_[m].log() +
                                       log_tilt * (static_cast<double>(m) - mean.value));
            elsewhere_.write_risks(elsewhere_.given(total), risk);
        };
        write_tilted(0.0, result_.risk);
        // If the mean is moved by its standard error, every risk moves by about its own.
        std::vector<double> moved(result_.risk.size(), 0.0);
        write_tilted(spread > 0.0 ? mean.error / spread : 0.0, moved);
        for (std::size_t i = 0; i < moved.size(); ++i)
            result_.error[i] = std::abs(moved[i] - result_.risk[i]) + rounding;
    }

    const EstimateLimits& limits_;
    const Outside& outside_;
    const Elsewhere elsewhere_;
    LooseParts loose_;
    std::vector<std::int32_t> cells_;  // of the loose boxes, in their order
    std::vector<Wide> around_;
    std::vector<Tally> halves_;
    std::vector<Summary> summaries_;
    std::vector<std::uint8_t> is_settled_;  // by box
    Estimate result_;
};

}  // namespace

Estimate estimate(const Question& question, const Frontier& frontier,
                  std::vector<std::shared_ptr<const Layouts>>& parts, const Outside& outside,
                  const EstimateLimits& limits) {
    // Step 6.1. Count components of moderate cost.
    count_more(question, frontier, parts, limits.per_component);
    return Estimator(question, frontier, parts, outside, limits).run();
}

}  // namespace mineproof
