#include "posterior/posterior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "posterior/clash.hpp"
#include "posterior/errors.hpp"
#include "posterior/layout_sampler.hpp"

namespace mineproof {

std::vector<std::int32_t> least_risky(std::span<const double> risk,
                                      std::span<const std::uint8_t> excluded) {
    const auto counts = [&](std::size_t cell) { return excluded.empty() || !excluded[cell]; };
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < risk.size(); ++i)
        if (risk[i] < lowest && counts(i)) lowest = risk[i];
    std::vector<std::int32_t> cells;
    for (std::size_t i = 0; i < risk.size(); ++i)
        if (risk[i] <= lowest + tie && counts(i)) cells.push_back(static_cast<std::int32_t>(i));
    return cells;
}

Posterior::Posterior(Question question, Budget budget, Precision precision, LayoutCache* cache)
    : question_(std::move(question)),
      frontier_(question_.evidence()),
      outside_(question_.evidence(), frontier_) {
    // Short questions count too: a game asks many.
    checkpoint(static_cast<std::int64_t>(question_.cells.size()));
    if (!frontier_.clash().empty()) throw explain_clash(question_.evidence(), frontier_.clash());
    // Steps 2 and 3. The frontier, step 1, is there already.
    count_components(budget, cache);
    mark_known();
    const bool wide = std::find(layouts_.begin(), layouts_.end(), nullptr) != layouts_.end();
    if (wide) {
        if (precision == Precision::exact_only)
            throw BudgetExceeded("the frontier is too wide to count exactly within the budget");
        // Step 6.
        EstimateLimits limits;
        limits.per_component.bytes = std::min(limits.per_component.bytes, budget.bytes);
        conclude(estimate(question_, frontier_, layouts_, outside_, limits));
        return;
    }
    // Steps 4 and 5, or step 7.
    auto conclusion = mineproof::conclude(layouts_, outside_);
    if (!conclusion) throw explain_total_clash(question_.evidence());
    conclude(std::move(*conclusion));
}

Posterior::Posterior(const Position& position, Conclusion conclusion)
    : question_(position.question()),
      frontier_(position.frontier()),
      outside_(position.outside()),
      layouts_(position.layouts().begin(), position.layouts().end()) {
    for (const auto& layouts : layouts_)
        width_ = std::max(width_, layouts->planned_width());
    mark_known();
    conclude(std::move(conclusion));
}

void Posterior::count_components(Budget budget, LayoutCache* cache) {
    // Cheap components are counted first, then the others by ascending cost, so that one wide
    // component does not use up the budget of the others. If one does not fit the budget, more
    // expensive ones are not tried.
    constexpr double cheap = 1e5;
    Counter counter(budget, cache);
    std::vector<std::pair<std::size_t, Counter::Task>> dear;
    layouts_.resize(frontier_.components());
    const auto count = [&](std::size_t index, const Counter::Task& task) {
        layouts_[index] = counter.count(task);
        if (layouts_[index] && !layouts_[index]->possible())
            throw explain_clash(question_.evidence(), task.component);
    };
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        auto task = counter.plan(frontier_.component(i));
        width_ = std::max(width_, task.width());
        if (task.cost() > cheap)
            dear.emplace_back(i, std::move(task));
        else
            count(i, task);
    }
    std::ranges::stable_sort(dear, {}, [](const auto& entry) { return entry.second.cost(); });
    for (const auto& [index, task] : dear) {
        count(index, task);
        if (!layouts_[index]) break;
    }
}

void Posterior::mark(std::int32_t cell, Certainty certainty) {
    certain_[at(cell)] = certainty;
    risk_[at(cell)] = certainty == Certainty::mined ? 1.0 : 0.0;
}

void Posterior::mark_known() {
    const auto& cells = question_.cells;
    risk_.assign(cells.size(), std::numeric_limits<double>::quiet_NaN());
    certain_.assign(cells.size(), Certainty::none);
    for_each_place(cells, cell::known_safe,
                   [&](std::int32_t cell) { mark(cell, Certainty::safe); });
    if (question_.trust_flags)
        for_each_place(cells, cell::flagged,
                       [&](std::int32_t cell) { mark(cell, Certainty::mined); });
    for (const auto cell : frontier_.safe())
        mark(cell, Certainty::safe);
    for (const auto cell : frontier_.mined())
        mark(cell, Certainty::mined);
}

void Posterior::conclude(Conclusion conclusion) {
    frontier_mines_ = std::move(conclusion.boxed_mines);
    log_weight_ = conclusion.log_weight;
    interior_risk_ = conclusion.interior_risk;
    const auto certainty_of = [](double risk) {
        return risk == 0.0 ? Certainty::safe : risk == 1.0 ? Certainty::mined : Certainty::none;
    };
    const auto conclude_cell = [&](std::int32_t cell, double risk) {
        risk_[at(cell)] = risk;
        certain_[at(cell)] = certainty_of(risk);
    };
    auto risk = conclusion.box_risk.begin();
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        const auto component = frontier_.component(i);
        for (const auto& box : component.boxes) {
            for (const auto cell : component.cells_of(box))
                conclude_cell(cell, *risk);
            ++risk;
        }
    }
    if (outside_.interior() > 0)
        for (std::int32_t cell = 0; cell < topology().cells(); ++cell)
            if (frontier_.in_interior(cell)) conclude_cell(cell, interior_risk_);
    add_up_mines();
}

void Posterior::add_up_mines() {
    double frontier = 0.0;
    for (std::size_t i = 0; i < frontier_mines_.weight.size(); ++i)
        frontier += frontier_mines_.weight[i] *
                    static_cast<double>(frontier_mines_.fewest + static_cast<std::int64_t>(i));
    expected_mines_ = static_cast<double>(known_mines()) + frontier +
                      interior_risk_ * static_cast<double>(interior());
}

void Posterior::conclude(Estimate estimate) {
    for_each_settled([&](std::int32_t cell, Certainty certainty) { mark(cell, certainty); });
    for (const auto cell : estimate.safe)
        mark(cell, Certainty::safe);
    for (const auto cell : estimate.mined)
        mark(cell, Certainty::mined);
    log_weight_ = std::numeric_limits<double>::quiet_NaN();
    standard_error_ = std::move(estimate.error);
    for (std::size_t i = 0; i < risk_.size(); ++i) {
        if (!cell::is_closed(question_.cells[i])) {
            standard_error_[i] = std::numeric_limits<double>::quiet_NaN();
            expected_mines_ += question_.cells[i] == cell::exploded;
            continue;
        }
        if (certain_[i] == Certainty::none)
            risk_[i] = uncertain(estimate.risk[i]);
        else
            standard_error_[i] = 0.0;
        expected_mines_ += risk_[i];
    }
}

// Calls `use(cell, certainty)` for every cell of a counted component that is certain whatever its
// total is.
template <class Use>
void Posterior::for_each_settled(Use use) const {
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        if (!layouts_[i]) continue;
        const auto component = frontier_.component(i);
        const auto ranges = layouts_[i]->find_box_ranges();
        for (std::size_t b = 0; b < ranges.size(); ++b) {
            if (!ranges[b].certain()) continue;
            for (const auto cell : component.cells_of(component.boxes[b]))
                use(cell, ranges[b].mine ? Certainty::mined : Certainty::safe);
        }
    }
}

std::vector<std::uint8_t> Posterior::settled_by_clues() const {
    std::vector<std::uint8_t> settled(question_.cells.size(), 0);
    if (question_.prior.kind != Prior::Kind::total) {
        for (std::size_t i = 0; i < settled.size(); ++i)
            settled[i] = certain_[i] != Certainty::none;
        return settled;
    }
    for (const auto* cells : {&frontier_.safe(), &frontier_.mined()})
        for (const auto cell : *cells)
            settled[at(cell)] = 1;
    for_each_settled([&](std::int32_t cell, Certainty) { settled[at(cell)] = 1; });
    return settled;
}

void Posterior::require_exact(const char* what) const {
    if (!exact()) throw BudgetExceeded(std::string(what) + " needs an exact posterior");
}

std::vector<std::int32_t> Posterior::certain(Certainty which) const {
    std::vector<std::int32_t> cells;
    for_each_place(certain_, which, [&](std::int32_t cell) { cells.push_back(cell); });
    return cells;
}

Effort Posterior::effort() const {
    Effort effort{.components = components(), .cells = 0, .width = width_, .work = std::nullopt};
    if (exact()) effort.work = 0;
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        effort.cells = std::max(effort.cells, frontier_.component(i).cells());
        if (effort.work) *effort.work += layouts_[i]->nodes_spent();
    }
    return effort;
}

std::vector<double> Posterior::total_distribution() const {
    require_exact("the distribution of the mine total");
    std::vector<double> chances;
    for (std::size_t i = 0; i < frontier_mines_.weight.size(); ++i) {
        if (frontier_mines_.weight[i] == 0.0) continue;
        const auto mines = frontier_mines_.fewest + static_cast<std::int64_t>(i);
        const auto inside = outside_.interior_mines(mines);
        const auto first = at(known_mines() + mines + inside.fewest);
        if (chances.size() < first + inside.weight.size())
            chances.resize(first + inside.weight.size(), 0.0);
        for (std::size_t j = 0; j < inside.weight.size(); ++j)
            chances[first + j] += frontier_mines_.weight[i] * inside.weight[j];
    }
    return chances;
}

std::array<double, max_degree + 1> Posterior::count_chances(std::int32_t cell) const {
    require_exact("the chance of each clue");
    assert(0 <= cell && cell < topology().cells());
    std::array<double, max_degree + 1> chances{};
    if (certain_[at(cell)] == Certainty::mined || question_.cells[at(cell)] == cell::exploded)
        return chances;
    Around around;
    around.look(topology(), frontier_.knowledge(), places(), cell);
    const Outside beyond(question_.prior, interior() - around.interior - around.own, known_mines(),
                         topology().cells());
    const auto counts = weigh_counts(around, layouts_, beyond);
    const double safe = 1.0 - risk_[at(cell)];
    const auto sum = std::accumulate(counts.begin(), counts.end(), Wide{});
    for (std::size_t count = 0; count < counts.size(); ++count)
        // What is possible is never rounded to zero.
        chances[count] = counts[count].positive() ? std::max(ratio(counts[count], sum) * safe,
                                                             std::numeric_limits<double>::min())
                                                  : 0.0;
    return chances;
}

std::array<double, symbols> Posterior::clue_chances(std::int32_t cell) const {
    return show(cell, count_chances(cell));
}

std::vector<BoxPlace> Posterior::places() const {
    std::vector<BoxPlace> places(question_.cells.size());
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        const auto component = frontier_.component(i);
        for (std::size_t b = 0; b < component.boxes.size(); ++b)
            for (const auto cell : component.cells_of(component.boxes[b]))
                places[at(cell)] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(b)};
    }
    return places;
}

std::vector<std::array<double, symbols>> Posterior::all_clue_chances() const {
    require_exact("the chance of each clue");
    const auto places = this->places();
    CountChances counts(topology(), frontier_.knowledge(), places, layouts_, outside_);
    std::vector<std::array<double, symbols>> result(question_.cells.size());
    for (std::int32_t cell = 0; cell < topology().cells(); ++cell) {
        if (!cell::is_closed(question_.cells[at(cell)]) || risk_[at(cell)] == 1.0) continue;
        auto chances = counts.of(cell);
        const double safe = std::accumulate(chances.begin(), chances.end(), 0.0);
        // Doubles do not reach the far ends of huge components.
        if (!(std::abs(safe - (1.0 - risk_[at(cell)])) < 1e-12)) chances = count_chances(cell);
        result[at(cell)] = show(cell, chances);
    }
    return result;
}

// What the cell shows if it is safe, by its true count.
std::array<double, symbols> Posterior::show(std::int32_t cell, const ByCount& counts) const {
    std::array<double, symbols> chances{};
    const auto degree = question_.topology->degree(cell);
    for (int count = 0; count <= degree; ++count) {
        const double chance = counts[at(count)];
        if (question_.channel->exact) {
            chances[at(count)] += chance;
            continue;
        }
        for (int seen = 0; seen < symbols; ++seen)
            chances[at(seen)] += chance * question_.channel->likelihood(degree, count, seen);
    }
    return chances;
}

double Posterior::log_layouts() const {
    require_exact("the number of layouts");
    if (question_.prior.kind == Prior::Kind::total) {
        if (question_.channel->exact) return log_weight_;
        std::vector<PolynomialOf<Wide>> counts;
        for (const auto& layouts : layouts_)
            counts.push_back(layouts->counts());
        return Combination(std::move(counts), outside_).log_weight();
    }
    double log = static_cast<double>(interior()) * std::log(2.0);
    for (const auto& layouts : layouts_)
        log += layouts->count_all().log();
    return log;
}

int Posterior::component_bits(std::size_t index) const {
    require_exact("the number of layouts");
    assert(index < layouts_.size());
    return layouts_[index]->count_bits();
}

Posterior::Count Posterior::count(std::size_t index, std::span<const std::uint64_t> primes) const {
    require_exact("the number of layouts");
    assert(index < layouts_.size());
    Count result{layouts_[index]->total().fewest, {}};
    for (const auto prime : primes)
        result.residues.push_back(layouts_[index]->counts_modulo(prime));
    return result;
}

std::vector<std::uint8_t> Posterior::sample(std::size_t count, std::uint64_t seed) const {
    require_exact("a sample of layouts");
    const auto cells = question_.cells.size();
    std::vector<std::uint8_t> layout(cells, 0);
    for (std::size_t i = 0; i < cells; ++i)
        layout[i] = question_.cells[i] == cell::exploded || certain_[i] == Certainty::mined;
    const Combination combination(layouts_, outside_);
    LayoutSampler sampler(frontier_, layouts_, outside_, combination, cells);
    Random random(seed);
    std::vector<std::uint8_t> result;
    result.reserve(count * cells);
    for (std::size_t n = 0; n < count; ++n) {
        checkpoint(static_cast<std::int64_t>(cells));
        sampler.draw(random, layout);
        result.insert(result.end(), layout.begin(), layout.end());
    }
    return result;
}

}  // namespace mineproof
