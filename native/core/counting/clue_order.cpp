#include "counting/clue_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "board/checkpoint.hpp"

namespace mineproof {

namespace {

// Bits of a partial sum of up to that many mines.
const auto log_sums = [] {
    std::array<double, max_degree + 1> bits{};
    for (std::size_t most = 0; most <= max_degree; ++most)
        bits[most] = std::log2(1.0 + static_cast<double>(most));
    return bits;
}();

std::uint64_t bit(std::size_t id) {
    return std::uint64_t{1} << id;
}

}  // namespace

double bits_of(const Clue& clue) {
    return log_sums[std::min<std::size_t>(at(clue.most), clue.capacity)];
}

std::optional<Elimination::Scored> Elimination::next() {
    while (!queue_.empty()) {
        const auto top = queue_.top();
        queue_.pop();
        if (top.score == score_[at(top.clue)]) return top;
    }
    return std::nullopt;
}

ClueGraph::ClueGraph(const Component& component) : component_(component) {
    neighbours_.resize(component.clues.size());
    for (std::size_t id = 0; id < component.clues.size(); ++id) {
        auto& list = neighbours_[id];
        for (const auto box : component.clues[id].box_list())
            for (const auto other : component.boxes[at(box)].clue_list())
                if (other != static_cast<std::int32_t>(id)) list.push_back(other);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    weight_.reserve(component.clues.size());
    for (const auto& clue : component.clues)
        weight_.push_back(bits_of(clue));
}

std::vector<std::int32_t> ClueGraph::order(Rule rule, double jitter, Random& random) const {
    auto lists = neighbours_;
    std::vector<std::int32_t> result, scratch;
    result.reserve(lists.size());
    Elimination game(lists.size());
    const auto rescore = [&](std::int32_t id) {
        double value = rule == Rule::size ? size_score(lists[at(id)]) : fill_score(lists, id);
        if (jitter > 0.0) value += jitter * random.uniform();
        game.rescore(id, value);
    };
    for (std::size_t id = 0; id < lists.size(); ++id)
        rescore(static_cast<std::int32_t>(id));
    Work work;
    while (const auto next = game.next()) {
        const auto id = next->clue;
        game.eliminate(id);
        result.push_back(id);
        const auto bag = std::move(lists[at(id)]);
        if (bag.size() > most_open) return {};
        work.add(static_cast<std::int64_t>(bag.size() * bag.size()));
        for (const auto other : bag) {
            auto& list = lists[at(other)];
            scratch.clear();
            std::set_union(list.begin(), list.end(), bag.begin(), bag.end(),
                           std::back_inserter(scratch));
            std::erase_if(scratch, [&](std::int32_t c) { return c == id || c == other; });
            list = scratch;
        }
        for (const auto other : bag)
            rescore(other);
    }
    return result;
}

std::vector<std::int32_t> ClueGraph::sweep(std::int32_t start) const {
    std::vector<std::int32_t> result{start};
    std::vector<bool> seen(neighbours_.size(), false);
    seen[at(start)] = true;
    for (std::size_t i = 0; i < result.size(); ++i)
        for (const auto other : neighbours_[at(result[i])])
            if (!seen[at(other)]) {
                seen[at(other)] = true;
                result.push_back(other);
            }
    return result;
}

double ClueGraph::size_score(std::span<const std::int32_t> list) const {
    double total = 0.0;
    for (const auto id : list)
        total += weight_[at(id)];
    return total;
}

double ClueGraph::fill_score(const Lists& lists, std::int32_t id) const {
    const auto& list = lists[at(id)];
    double missing = 0.0;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j)
            if (!std::binary_search(lists[at(list[i])].begin(), lists[at(list[i])].end(), list[j]))
                missing += weight_[at(list[i])] * weight_[at(list[j])];
    return missing + 0.01 * size_score(list);
}

SmallClueGraph::SmallClueGraph(const Component& component)
    : component_(component), count_(component.clues.size()) {
    for (const auto& box : component.boxes) {
        std::uint64_t clues = 0;
        for (const auto clue : box.clue_list())
            clues |= bit(at(clue));
        for (const auto clue : box.clue_list())
            neighbours_[at(clue)] |= clues;
    }
    for (std::size_t id = 0; id < count_; ++id) {
        const auto& clue = component.clues[id];
        weight_[id] = bits_of(clue);
        neighbours_[id] &= ~bit(id);
    }
}

std::span<const std::int32_t> SmallClueGraph::order() {
    std::uint64_t left = 0;
    std::size_t end = 0;
    for (std::size_t id = 0; id < count_; ++id) {
        score_[id] = score(id);
        left |= bit(id);
    }
    while (left) {
        const auto id = cheapest(left);
        left &= ~bit(id);
        order_[end++] = static_cast<std::int32_t>(id);
        for (auto rest = neighbours_[id]; rest; rest &= rest - 1) {
            const auto other = static_cast<std::size_t>(std::countr_zero(rest));
            neighbours_[other] = (neighbours_[other] | neighbours_[id]) & ~(bit(id) | bit(other));
            score_[other] = score(other);
        }
    }
    return {order_.data(), count_};
}

double SmallClueGraph::score(std::size_t id) const {
    double total = 0.0;
    for (auto rest = neighbours_[id]; rest; rest &= rest - 1)
        total += weight_[static_cast<std::size_t>(std::countr_zero(rest))];
    return total;
}

std::size_t SmallClueGraph::cheapest(std::uint64_t among) const {
    auto best = static_cast<std::size_t>(std::countr_zero(among));
    for (auto rest = among & (among - 1); rest; rest &= rest - 1) {
        const auto id = static_cast<std::size_t>(std::countr_zero(rest));
        if (score_[id] < score_[best]) best = id;
    }
    return best;
}

}  // namespace mineproof
