#include "search/endings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "board/cell.hpp"
#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

struct Listing {
    std::vector<std::int32_t> cells;
    std::vector<std::uint8_t> mines;  // a row of bytes per layout
    std::size_t layouts = 0;
    std::int64_t mines_each = 0;  // the mines of the last layout
};

// What is uncertain in a position. Two cells belong to the same part if a clue, or a closed cell
// that may still show one, touches both. So no clue of one part says anything about another; only
// the mine total connects them.
class Partition {
  public:
    explicit Partition(const Posterior& posterior);

    const std::vector<std::vector<std::int32_t>>& parts() const { return parts_; }
    // Among all uncertain cells, if the total is known; otherwise negative.
    std::int64_t mines_left() const { return mines_left_; }

    // The layouts of some cells by the clues around them. Nothing if there are more than `most`, if
    // listing them takes too much work, or if `fixed` is set and their numbers of mines differ.
    std::optional<Listing> list(const std::vector<std::int32_t>& cells, std::int64_t fewest,
                                std::int64_t most_mines, bool fixed, std::size_t most);
    Ending ending(const Listing& listing);

  private:
    const Question& question_;
    std::vector<std::vector<std::int32_t>> parts_;  // cells next to clues first
    std::vector<std::uint8_t> known_mine_;
    std::vector<std::uint8_t> shows_;  // shows a clue or may come to show one
    std::int64_t mines_left_ = -1;
    std::vector<std::int32_t> number_;  // of cells while a part is listed, otherwise negative
    Work reported_;
};

bool touches_clue(const Question& question, std::int32_t place) {
    return std::ranges::any_of(question.topology->neighbours(place), [&](std::int32_t near) {
        return cell::is_clue(question.cells[at(near)]);
    });
}

Partition::Partition(const Posterior& posterior) : question_(posterior.question()) {
    const auto& question = question_;
    const auto& topology = *question.topology;
    const auto& cells = question.cells;
    const auto& risk = posterior.risk();
    known_mine_.assign(cells.size(), 0);
    shows_.assign(cells.size(), 0);
    number_.assign(cells.size(), -1);
    std::int64_t known = 0;
    std::vector<std::uint8_t> pending(cells.size(), 0);  // uncertain and not yet in a part
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto place = static_cast<std::int32_t>(i);
        const bool closed = cell::is_closed(cells[i]);
        known_mine_[i] = cells[i] == cell::exploded || (closed && risk[i] == 1.0);
        shows_[i] = cell::is_clue(cells[i]) || (closed && risk[i] < 1.0);
        pending[i] = closed && !posterior.is_certain(place);
        known += known_mine_[i];
    }
    if (question.prior.kind == Prior::Kind::total) mines_left_ = question.prior.mines - known;
    // Cells next to clues first: the clues leave less to try.
    for (const bool near_clue : {true, false})
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!pending[i]) continue;
            const auto start = static_cast<std::int32_t>(i);
            if (near_clue && !touches_clue(question, start)) continue;
            auto& part = parts_.emplace_back();
            part.push_back(start);
            pending[i] = 0;
            const auto reach = [&](std::int32_t place) {
                if (!pending[at(place)]) return;
                pending[at(place)] = 0;
                part.push_back(place);
            };
            for (std::size_t next = 0; next < part.size(); ++next) {
                const auto place = part[next];
                for (const auto near : topology.neighbours(place)) {
                    if (!shows_[at(near)]) continue;
                    reach(near);
                    for (const auto far : topology.neighbours(near))
                        reach(far);
                }
            }
            std::ranges::stable_partition(
                part, [&](std::int32_t place) { return touches_clue(question, place); });
        }
}

// Tries every cell free and mined, in order, and gives up a branch as soon as a clue cannot be met.
std::optional<Listing> Partition::list(const std::vector<std::int32_t>& cells, std::int64_t fewest,
                                       std::int64_t most_mines, bool fixed, std::size_t most) {
    const auto& topology = *question_.topology;
    struct Clue {
        int mines = 0;  // still to be placed
        int room = 0;   // cells still to be tried
    };
    std::vector<Clue> clues;
    std::vector<std::vector<std::size_t>> clues_of(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (const auto near : topology.neighbours(cells[i])) {
            const auto code = question_.cells[at(near)];
            if (!cell::is_clue(code)) continue;
            if (number_[at(near)] < 0) {
                number_[at(near)] = static_cast<std::int32_t>(clues.size());
                Clue clue{.mines = code};
                for (const auto around : topology.neighbours(near))
                    clue.mines -= known_mine_[at(around)];
                clues.push_back(clue);
            }
            const auto clue = at(number_[at(near)]);
            ++clues[clue].room;
            clues_of[i].push_back(clue);
        }
    for (const auto place : cells)
        for (const auto near : topology.neighbours(place))
            number_[at(near)] = -1;
    Listing listing{.cells = cells, .mines = {}};
    const auto count = static_cast<std::int64_t>(cells.size());
    std::vector<std::uint8_t> mines(cells.size(), 0);
    std::int64_t used = 0;
    std::int64_t seen_mines = -1;
    auto work = static_cast<std::int64_t>(most) * 64 + 4096;
    const auto put = [&](std::size_t i, int mine, int sign) {
        bool good = true;
        for (const auto clue : clues_of[i]) {
            clues[clue].room -= sign;
            clues[clue].mines -= sign * mine;
            good = good && clues[clue].mines >= 0 && clues[clue].mines <= clues[clue].room;
        }
        used += sign * mine;
        mines[i] = static_cast<std::uint8_t>(sign > 0 ? mine : 0);
        return good && used <= most_mines &&
               used + (count - 1 - static_cast<std::int64_t>(i)) >= fewest;
    };
    bool complete = true;
    // Not recursive: a part may have as many cells as a large board.
    std::size_t depth = 0;
    std::vector<std::uint8_t> tried(cells.size() + 1, 0);
    const auto visit = [&] {
        tried[depth] = 0;
        complete = --work >= 0;
        reported_.add(1);
        if (!complete || depth < cells.size()) return;
        if (fixed && seen_mines >= 0 && seen_mines != used) complete = false;
        seen_mines = listing.mines_each = used;
        if (++listing.layouts > most) complete = false;
        listing.mines.insert(listing.mines.end(), mines.begin(), mines.end());
    };
    visit();
    while (complete) {
        if (depth < cells.size() && tried[depth] < 2) {
            const int mine = tried[depth]++;
            if (put(depth, mine, 1)) {
                ++depth;
                visit();
            } else {
                put(depth, mine, -1);
            }
        } else {
            if (depth == 0) break;
            --depth;
            put(depth, tried[depth] - 1, -1);
        }
    }
    if (!complete || listing.layouts == 0) return std::nullopt;
    return listing;
}

Ending Partition::ending(const Listing& listing) {
    const auto& topology = *question_.topology;
    const auto layouts = listing.layouts;
    const auto width = listing.cells.size();
    for (std::size_t i = 0; i < width; ++i)
        number_[at(listing.cells[i])] = static_cast<std::int32_t>(i);
    // The uncertain cells, and cells that are certainly safe and not open yet.
    auto cells = listing.cells;
    for (std::size_t i = 0; i < width; ++i)
        for (const auto near : topology.neighbours(listing.cells[i]))
            if (number_[at(near)] < 0 && cell::is_closed(question_.cells[at(near)]) &&
                shows_[at(near)]) {
                number_[at(near)] = static_cast<std::int32_t>(cells.size());
                cells.push_back(near);
            }
    std::vector<std::uint8_t> shown(cells.size() * layouts);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        int known = 0;
        std::vector<std::size_t> around;
        for (const auto near : topology.neighbours(cells[i])) {
            known += known_mine_[at(near)];
            if (number_[at(near)] >= 0 && at(number_[at(near)]) < width)
                around.push_back(at(number_[at(near)]));
        }
        for (std::size_t layout = 0; layout < layouts; ++layout) {
            const auto* const mines = listing.mines.data() + layout * width;
            int clue = known;
            for (const auto near : around)
                clue += mines[near];
            shown[i * layouts + layout] =
                i < width && mines[i] ? Ending::mine : static_cast<std::uint8_t>(clue);
        }
    }
    for (const auto place : cells)
        number_[at(place)] = -1;
    return {std::move(cells), layouts, std::move(shown)};
}

}  // namespace

Endings find_endings(const Posterior& posterior, std::size_t most) {
    Endings result;
    const auto& question = posterior.question();
    // A clue that is still to arrive would tell more than the search expects.
    if (!question.channel->exact || std::ranges::count(question.cells, cell::pending))
        return result;
    Partition partition(posterior);
    auto left = partition.mines_left();
    auto log_layouts = posterior.log_weight();
    std::vector<std::int32_t> rest;
    for (const auto& part : partition.parts()) {
        const auto listing =
            partition.list(part, 0, std::numeric_limits<std::int32_t>::max(), true, most);
        if (!listing) {
            rest.insert(rest.end(), part.begin(), part.end());
            continue;
        }
        result.isolated.push_back(partition.ending(*listing));
        left -= listing->mines_each;
        log_layouts -= std::log(static_cast<double>(listing->layouts));
    }
    result.complete = rest.empty();
    if (rest.empty() || left < 0) return result;
    constexpr double rounding = 1e-6;
    if (!(log_layouts <= std::log(static_cast<double>(most)) + rounding)) return result;
    std::ranges::stable_partition(
        rest, [&](std::int32_t place) { return touches_clue(question, place); });
    const auto listing = partition.list(rest, left, left, false, most);
    if (!listing) return result;
    result.joint = partition.ending(*listing);
    result.complete = true;
    return result;
}

std::optional<Solved> solve(const Ending& ending, std::int64_t work) {
    EndingSearch search(ending, work);
    const auto won = search.value();
    const auto cell = won ? search.best_cell() : std::nullopt;
    if (!cell) return std::nullopt;
    return Solved{*won, static_cast<std::uint32_t>(ending.layouts()), ending.cells()[*cell]};
}

}  // namespace mineproof
