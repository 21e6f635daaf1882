// The slow truth: tries every set of unknown cells as a layout.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/questions.hpp"

namespace mineproof {

class BruteForce {
  public:
    double weight = 0.0;  // of all layouts that fit; 0 if none does
    std::vector<double> risk;
    std::vector<std::uint8_t> may_be_mine, may_be_free;
    std::vector<double> totals;                      // chance of each number of mines on the board
    std::vector<std::array<double, symbols>> clues;  // chances by cell: safe and shows each symbol
    std::vector<std::uint64_t> layouts;              // by mines on the board, whatever the prior
    std::vector<std::int32_t> clue_cells;            // cells that carry information
    // `told_broken` is only for layouts that the prior allows.
    std::vector<std::uint64_t> broken, told_broken;  // by layout: clues that it breaks

    explicit BruteForce(const Question& question) : question_(question) {
        const auto cells = question.cells.size();
        risk.assign(cells, 0.0);
        may_be_mine.assign(cells, 0);
        may_be_free.assign(cells, 0);
        totals.assign(cells + 1, 0.0);
        clues.assign(cells, {});
        layouts.assign(cells + 1, 0);
        for (std::int32_t c = 0; c < static_cast<std::int32_t>(cells); ++c) {
            const auto code = question.cells[at(c)];
            if (unknown(code)) unknown_.push_back(c);
            if (code >= 0 || (code == cell::no_clue && question.channel->loses_clues))
                clue_cells.push_back(c);
        }
        for (std::uint32_t set = 0; set < std::uint32_t{1} << unknown_.size(); ++set)
            add(layout_of(set));
        if (weight == 0.0) return;
        for (auto& value : risk)
            value /= weight;
        for (auto& value : totals)
            value /= weight;
        for (auto& cell : clues)
            for (auto& value : cell)
                value /= weight;
    }

    bool unknown(std::int8_t code) const {
        return code == cell::closed || (code == cell::flagged && !question_.trust_flags);
    }

    bool fits(const std::uint8_t* layout) const {
        std::int64_t mines = 0;
        for (std::size_t i = 0; i < question_.cells.size(); ++i) {
            mines += layout[i];
            if (!unknown(question_.cells[i]) && layout[i] != mined(question_.cells[i]))
                return false;
        }
        return prior_weight(mines) > 0.0 && broken_by({layout, question_.cells.size()}) == 0;
    }

  private:
    bool mined(std::int8_t code) const {
        return code == cell::exploded || (code == cell::flagged && question_.trust_flags);
    }

    std::vector<std::uint8_t> layout_of(std::uint32_t set) const {
        std::vector<std::uint8_t> layout(question_.cells.size());
        for (std::size_t i = 0; i < layout.size(); ++i)
            layout[i] = mined(question_.cells[i]);
        for (std::size_t i = 0; i < unknown_.size(); ++i)
            layout[at(unknown_[i])] = set >> i & 1;
        return layout;
    }

    double prior_weight(std::int64_t mines) const {
        const auto& prior = question_.prior;
        const auto cells = static_cast<std::int64_t>(question_.cells.size());
        double result = 1.0;
        switch (prior.kind) {
            case Prior::Kind::total:
                return mines == prior.mines ? 1.0 : 0.0;
            case Prior::Kind::density:
                for (std::int64_t i = 0; i < cells; ++i)
                    result *= i < mines ? prior.density : 1.0 - prior.density;
                return result;
            case Prior::Kind::unknown:
                break;
        }
        for (std::int64_t i = 1; i <= mines; ++i)
            result *= static_cast<double>(i) / static_cast<double>(cells - mines + i);
        return result / static_cast<double>(cells + 1);
    }

    double likelihood(std::span<const std::uint8_t> layout, std::int32_t c, int seen) const {
        const int count = true_count(*question_.topology, layout, c);
        if (question_.channel->exact) return count == seen ? 1.0 : 0.0;
        return question_.channel->likelihood(question_.topology->degree(c), count, seen);
    }

    double likelihood(std::span<const std::uint8_t> layout, std::int32_t c) const {
        const auto code = question_.cells[at(c)];
        return likelihood(layout, c, code >= 0 ? code : no_clue_symbol);
    }

    std::uint64_t broken_by(std::span<const std::uint8_t> layout) const {
        std::uint64_t result = 0;
        for (std::size_t i = 0; i < clue_cells.size(); ++i)
            if (likelihood(layout, clue_cells[i]) == 0.0) result |= std::uint64_t{1} << i;
        return result;
    }

    void add(const std::vector<std::uint8_t>& layout) {
        const auto mines = std::count(layout.begin(), layout.end(), 1);
        const double prior = prior_weight(mines);
        broken.push_back(broken_by(layout));
        if (prior > 0.0) told_broken.push_back(broken.back());
        if (broken.back() != 0) return;
        ++layouts[at(mines)];
        double share = prior;
        for (const auto c : clue_cells)
            share *= likelihood(layout, c);
        if (share == 0.0) return;
        weight += share;
        totals[at(mines)] += share;
        for (std::int32_t c = 0; c < static_cast<std::int32_t>(layout.size()); ++c) {
            (layout[at(c)] ? may_be_mine : may_be_free)[at(c)] = 1;
            if (layout[at(c)]) {
                risk[at(c)] += share;
                continue;
            }
            for (int seen = 0; seen < symbols; ++seen)
                clues[at(c)][at(seen)] += share * likelihood(layout, c, seen);
        }
    }

    const Question& question_;
    std::vector<std::int32_t> unknown_;
};

}  // namespace mineproof
