#include "posterior/block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "counting/clue_order.hpp"
#include "counting/product_tree.hpp"
#include "counting/rings.hpp"

namespace mineproof {

namespace {

// States of the largest table, in bits, that are tried first and last.
constexpr double first_bits = 14.0;
constexpr double last_bits = 1.0;

}  // namespace

void LooseParts::add(const Component& component) {
    const auto first_box = static_cast<std::int32_t>(boxes.size());
    const auto first_clue = static_cast<std::int32_t>(clues.size());
    for (auto box : component.boxes) {
        for (std::size_t i = 0; i < box.clues; ++i)
            box.clue[i] += first_clue;
        boxes.push_back(box);
    }
    for (auto clue : component.clues) {
        for (std::size_t i = 0; i < clue.boxes; ++i)
            clue.box[i] += first_box;
        clues.push_back(clue);
    }
}

LooseParts clues_near(const LooseParts& parts, std::size_t box, std::size_t count) {
    std::vector<std::int32_t> boxes{static_cast<std::int32_t>(box)};
    std::vector<std::int32_t> clues;
    std::vector<std::int32_t> new_box(parts.boxes.size(), -1);
    std::vector<std::int32_t> new_clue(parts.clues.size(), -1);
    new_box[box] = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (const auto clue : parts.boxes[at(boxes[i])].clue_list()) {
            if (new_clue[at(clue)] >= 0 || clues.size() == count) continue;
            new_clue[at(clue)] = static_cast<std::int32_t>(clues.size());
            clues.push_back(clue);
            for (const auto other : parts.clues[at(clue)].box_list()) {
                if (new_box[at(other)] >= 0) continue;
                new_box[at(other)] = static_cast<std::int32_t>(boxes.size());
                boxes.push_back(other);
            }
        }
    // The clues of a box must stay in ascending order.
    std::ranges::sort(clues);
    for (std::size_t i = 0; i < clues.size(); ++i)
        new_clue[at(clues[i])] = static_cast<std::int32_t>(i);
    LooseParts result;
    for (const auto id : boxes) {
        auto copy = parts.boxes[at(id)];
        copy.clues = 0;
        for (const auto clue : parts.boxes[at(id)].clue_list())
            if (new_clue[at(clue)] >= 0) copy.clue[copy.clues++] = new_clue[at(clue)];
        result.boxes.push_back(copy);
    }
    for (const auto id : clues) {
        auto copy = parts.clues[at(id)];
        for (std::size_t i = 0; i < copy.boxes; ++i)
            copy.box[i] = new_box[at(copy.box[i])];
        result.clues.push_back(copy);
    }
    return result;
}

void LooseLayout::set(const LooseParts& parts, std::size_t box, int count) {
    const int more = count - box_mines[box];
    if (more == 0) return;
    box_mines[box] = static_cast<std::uint8_t>(count);
    mines += more;
    for (const auto clue : parts.boxes[box].clue_list())
        clue_mines[at(clue)] = static_cast<std::int8_t>(clue_mines[at(clue)] + more);
}

BlockPiece::BlockPiece(const LooseParts& parts, std::vector<std::int32_t> boxes,
                       std::span<const std::uint8_t> held)
    : box_ids_(std::move(boxes)) {
    for (const auto id : box_ids_)
        for (const auto clue : parts.boxes[at(id)].clue_list())
            clue_ids_.push_back(clue);
    std::sort(clue_ids_.begin(), clue_ids_.end());
    clue_ids_.erase(std::unique(clue_ids_.begin(), clue_ids_.end()), clue_ids_.end());
    const auto place = [](const std::vector<std::int32_t>& ids, std::int32_t id) {
        return static_cast<std::int32_t>(std::lower_bound(ids.begin(), ids.end(), id) -
                                         ids.begin());
    };
    for (const auto id : box_ids_) {
        auto box = parts.boxes[at(id)];
        for (std::size_t i = 0; i < box.clues; ++i)
            box.clue[i] = place(clue_ids_, box.clue[i]);
        boxes_.push_back(box);
    }
    for (const auto id : clue_ids_) {
        const auto& whole = parts.clues[at(id)];
        Clue clue{.cell = whole.cell};
        for (const auto box : whole.box_list()) {
            if (held[at(box)]) continue;
            clue.box[clue.boxes++] = place(box_ids_, box);
            clue.capacity = static_cast<std::uint8_t>(clue.capacity + parts.boxes[at(box)].size);
        }
        // Whatever the mines of the boxes that are held, no more sums than these are possible.
        clue.most = std::min(whole.most, static_cast<std::int8_t>(clue.capacity));
        clues_.push_back(clue);
    }
    plan_ = make_plan({boxes_, clues_}, 0.0);
    for (const auto& touch : plan_.touches)
        outside_.push_back(static_cast<std::int8_t>(-touch.least));
}

Layouts BlockPiece::count(const ClueWeights& weights, const LooseLayout& layout) {
    for (std::size_t i = 0; i < clues_.size(); ++i) {
        auto& clue = clues_[i];
        int held = layout.clue_mines[at(clue_ids_[i])];
        for (const auto box : clue.box_list())
            held -= layout.box_mines[at(box_ids_[at(box)])];
        const auto& weight = weights[at(clue_ids_[i])];
        int fewest = clue.capacity;
        int most = 0;
        for (int mines = 0; mines <= clue.capacity; ++mines) {
            clue.weight[at(mines)] = weight[at(held + mines)];
            if (clue.weight[at(mines)] == 0.0) continue;
            fewest = std::min(fewest, mines);
            most = mines;
        }
        clue.fewest = static_cast<std::int8_t>(fewest);
        clue.most = static_cast<std::int8_t>(most);
    }
    for (std::size_t i = 0; i < plan_.touches.size(); ++i) {
        auto& touch = plan_.touches[i];
        touch.least = static_cast<std::int8_t>(clues_[at(touch.clue)].fewest - outside_[i]);
        touch.most = clues_[at(touch.clue)].most;
    }
    constexpr auto unlimited = std::numeric_limits<std::int64_t>::max() / 2;
    Budget budget{unlimited, unlimited};
    return *Layouts::count({boxes_, clues_}, plan_, budget);
}

Block::Block(const LooseParts& parts, std::span<const std::uint8_t> held) {
    std::vector<std::uint8_t> seen(held.begin(), held.end());
    for (std::size_t first = 0; first < seen.size(); ++first) {
        if (seen[first]) continue;
        seen[first] = 1;
        std::vector<std::int32_t> boxes{static_cast<std::int32_t>(first)};
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (const auto clue : parts.boxes[at(boxes[i])].clue_list())
                for (const auto other : parts.clues[at(clue)].box_list()) {
                    if (seen[at(other)]) continue;
                    seen[at(other)] = 1;
                    boxes.push_back(other);
                }
        std::sort(boxes.begin(), boxes.end());
        pieces_.emplace_back(parts, std::move(boxes), held);
    }
}

double Block::cost() const {
    double sum = 0.0;
    for (const auto& piece : pieces_)
        sum += piece.cost();
    return sum;
}

Redrawn Block::redraw(const LooseParts& parts, const ClueWeights& weights,
                      std::span<const Wide> around, double odds, LooseLayout& layout,
                      Random& random, bool report) {
    // Step 6.4.1. Count every piece, given the boxes that are held. The weights of few and of many
    // mines are made similar, so that the ends of long products can be cut.
    std::vector<Layouts> counted;
    std::vector<PolynomialOf<Wide>> totals;
    auto held = layout.mines;
    const double log_odds = std::log(odds);
    const auto tilt = [&](std::int64_t mines) {
        return Wide::from_log(log_odds * static_cast<double>(mines));
    };
    for (auto& piece : pieces_) {
        for (const auto box : piece.boxes())
            held -= layout.box_mines[at(box)];
        counted.push_back(piece.count(weights, layout));
        totals.push_back(counted.back().total());
        auto mines = totals.back().fewest;
        for (auto& weight : totals.back().weight)
            weight = weight * tilt(mines++);
    }
    // Step 6.4.2. Combine the pieces with everything else on the board.
    ProductTree<WideRing> tree;
    std::vector<Wide> rest;
    const auto share = [&](bool may_trim) {
        tree.build(totals, may_trim);
        const auto& all = tree.all();
        rest.assign(all.weight.size(), Wide{});
        for (std::size_t i = 0; i < all.weight.size(); ++i) {
            const auto mines = all.fewest + static_cast<std::int64_t>(i);
            if (at(held + mines) < around.size()) rest[i] = around[at(held + mines)] * tilt(-mines);
        }
        return tree.leave_one_out(rest);
    };
    if (!share(true)) share(false);
    const auto& all = tree.all();
    Wide sum;
    for (std::size_t i = 0; i < all.weight.size(); ++i)
        sum = sum + all.weight[i] * rest[i];
    // Step 6.4.3. Draw the number of mines, and share them among the pieces.
    Redrawn result;
    result.mines.fewest = held + all.fewest;
    double left_over = random.uniform();
    std::int64_t drawn = 0;
    for (std::size_t i = 0; i < all.weight.size(); ++i) {
        const double chance = ratio(all.weight[i] * rest[i], sum);
        result.mines.weight.push_back(chance);
        if (chance <= 0.0 || left_over < 0.0) continue;
        drawn = all.fewest + static_cast<std::int64_t>(i);
        left_over -= chance;
    }
    std::vector<std::int64_t> mines(pieces_.size());
    tree.draw(drawn, random, mines);
    // Step 6.4.4. Draw the boxes of every piece, and report what was known before.
    std::vector<std::uint8_t> box_mines;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        const auto boxes = pieces_[p].boxes();
        if (report) {
            auto& outside = tree.around(p);
            for (std::size_t i = 0; i < outside.size(); ++i)
                outside[i] =
                    outside[i] * tilt(counted[p].total().fewest + static_cast<std::int64_t>(i));
            result.values.push_back(counted[p].box_values(outside));
        }
        box_mines.assign(boxes.size(), 0);
        ComponentSampler(counted[p]).draw(mines[p], random, box_mines);
        for (std::size_t b = 0; b < boxes.size(); ++b)
            layout.set(parts, at(boxes[b]), box_mines[b]);
    }
    return result;
}

namespace {

// Eliminates clues, the cheapest first. Where even the cheapest is too dear, boxes are held.
class Holding {
  public:
    Holding(const LooseParts& parts, double most_bits, std::span<const int> times_held,
            Random& random)
        : parts_(parts),
          held_(parts.boxes.size(), 0),
          most_bits_(most_bits),
          times_held_(times_held),
          random_(random),
          tables_of_(parts.clues.size()),
          game_(parts.clues.size()),
          mark_(parts.clues.size(), 0) {
        for (const auto& clue : parts.clues)
            bits_.push_back(bits_of(clue));
        for (std::size_t b = 0; b < parts.boxes.size(); ++b) {
            const auto clues = parts.boxes[b].clue_list();
            add_table({{clues.begin(), clues.end()}, {static_cast<std::int32_t>(b)}});
        }
    }

    std::vector<std::uint8_t> run() {
        Work work;
        for (std::size_t clue = 0; clue < tables_of_.size(); ++clue)
            rescore(static_cast<std::int32_t>(clue));
        while (const auto next = game_.next()) {
            work.add(100);
            if (next->score <= most_bits_ + jitter || tables_of_[at(next->clue)].size() <= 1)
                close(next->clue);
            else
                hold_some(next->clue);
        }
        return std::move(held_);
    }

  private:
    static constexpr double jitter = 1.0;

    struct Table {
        std::vector<std::int32_t> clues;  // open ones
        std::vector<std::int32_t> boxes;
    };

    void add_table(Table table) {
        const auto id = static_cast<std::int32_t>(tables_.size());
        for (const auto clue : table.clues)
            tables_of_[at(clue)].push_back(id);
        tables_.push_back(std::move(table));
    }

    void drop(std::int32_t id, std::int32_t clue) { std::erase(tables_of_[at(clue)], id); }

    // The other open clues of all tables of a clue.
    std::vector<std::int32_t> around(std::int32_t clue) {
        std::vector<std::int32_t> result;
        ++round_;
        mark_[at(clue)] = round_;
        for (const auto id : tables_of_[at(clue)])
            for (const auto other : tables_[at(id)].clues) {
                if (mark_[at(other)] == round_) continue;
                mark_[at(other)] = round_;
                result.push_back(other);
            }
        return result;
    }

    void rescore(std::int32_t clue) {
        double score = jitter * random_.uniform();
        for (const auto other : around(clue))
            score += bits_[at(other)];
        game_.rescore(clue, score);
    }

    void close(std::int32_t clue) {
        game_.eliminate(clue);
        Table joined{around(clue), {}};
        const auto tables = tables_of_[at(clue)];
        for (const auto id : tables) {
            auto& table = tables_[at(id)];
            for (const auto other : table.clues)
                drop(id, other);
            joined.boxes.insert(joined.boxes.end(), table.boxes.begin(), table.boxes.end());
            table = {};
        }
        const auto changed = joined.clues;
        add_table(std::move(joined));
        for (const auto other : changed)
            rescore(other);
    }

    // Holds the boxes of the clue that are in one of its tables. Prefers few boxes that were held
    // rarely.
    void hold_some(std::int32_t clue) {
        std::int32_t chosen = -1;
        double best = std::numeric_limits<double>::infinity();
        for (const auto id : tables_of_[at(clue)]) {
            double rank = 2.0 * random_.uniform();
            for (const auto box : tables_[at(id)].boxes)
                if (touches(box, clue)) rank += 1.0 + times_held_[at(box)];
            if (rank >= best) continue;
            best = rank;
            chosen = id;
        }
        auto& table = tables_[at(chosen)];
        for (const auto box : table.boxes)
            if (touches(box, clue)) held_[at(box)] = 1;
        const auto changed = table.clues;
        if (table.boxes.size() == 1) {
            for (const auto other : changed)
                drop(chosen, other);
            table = {};
        } else {
            drop(chosen, clue);
            std::erase(table.clues, clue);
        }
        for (const auto other : changed)
            rescore(other);
    }

    bool touches(std::int32_t box, std::int32_t clue) const {
        const auto clues = parts_.boxes[at(box)].clue_list();
        return std::find(clues.begin(), clues.end(), clue) != clues.end();
    }

    const LooseParts& parts_;
    std::vector<std::uint8_t> held_;
    double most_bits_;
    std::span<const int> times_held_;
    Random& random_;
    std::vector<Table> tables_;
    std::vector<std::vector<std::int32_t>> tables_of_;  // by clue
    Elimination game_;
    std::vector<double> bits_;  // by clue
    std::vector<std::int32_t> mark_;
    std::int32_t round_ = 0;
};

}  // namespace

BlockMaker::BlockMaker(const LooseParts& parts, double most_cost, Random& random)
    : parts_(parts),
      most_cost_(most_cost),
      most_bits_(first_bits),
      random_(random),
      times_held_(parts.boxes.size(), 0) {}

Block BlockMaker::make() {
    while (true) {
        const auto held = Holding(parts_, most_bits_, times_held_, random_).run();
        Block block(parts_, held);
        if (block.cost() > most_cost_ && most_bits_ > last_bits) {
            most_bits_ -= 1.0;
            continue;
        }
        for (std::size_t b = 0; b < held.size(); ++b)
            times_held_[b] += held[b];
        return block;
    }
}

std::vector<Block> BlockMaker::make_all(std::size_t count) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < count; ++i)
        blocks.push_back(make());
    std::vector<std::uint8_t> is_inside(times_held_.size(), 0);
    for (std::size_t b = 0; b < is_inside.size(); ++b)
        if (!is_inside[b]) blocks.push_back(make_around(b, is_inside));
    return blocks;
}

// Holds all boxes except those near one of them.
Block BlockMaker::make_around(std::size_t centre, std::span<std::uint8_t> is_inside) const {
    constexpr std::size_t inside = 8;
    constexpr std::size_t near = 24;
    std::vector<std::uint8_t> held(times_held_.size(), 1);
    std::vector<std::int32_t> free{static_cast<std::int32_t>(centre)};
    held[centre] = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
        if (i < inside) is_inside[at(free[i])] = 1;
        for (const auto clue : parts_.boxes[at(free[i])].clue_list())
            for (const auto other : parts_.clues[at(clue)].box_list()) {
                if (!held[at(other)] || free.size() == near) continue;
                held[at(other)] = 0;
                free.push_back(other);
            }
    }
    return {parts_, held};
}

}  // namespace mineproof
