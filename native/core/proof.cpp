#include "proof.hpp"

#include <algorithm>
#include <bit>

#include "clash.hpp"
#include "index.hpp"

namespace mineproof {

namespace {

// Steps of the search for one cell: some ten milliseconds of work.
constexpr std::int64_t most_work = 400'000;
// Clues to be met are told apart by bits.
constexpr std::size_t most_clues = 32;

}  // namespace

std::vector<Proof> prove(const Posterior& posterior, std::span<const std::int32_t> cells,
                         std::size_t most_sets) {
    const auto evidence = posterior.evidence();
    const auto layout = posterior.sample(1, 0);
    Prover prover(evidence, layout);
    std::vector<Proof> proofs;
    for (const auto cell : cells)
        proofs.push_back(prover.prove(cell, most_sets));
    return proofs;
}

Prover::Prover(const Evidence& evidence, std::span<const std::uint8_t> layout)
    : evidence_(evidence),
      layout_(layout),
      surface_(evidence),
      excluded_(at(evidence.topology.cells()), 0),
      signature_(at(evidence.topology.cells()), 0),
      change_(at(evidence.topology.cells()), 0) {
    for (std::size_t i = 0; i < layout.size(); ++i)
        mines_ += surface_.fate[i] == Fate::unknown && layout[i];
}

Proof Prover::prove(std::int32_t cell, std::size_t most_sets) {
    Proof given;
    given.smallest = given.all = given.irreducible = true;
    given.premises.emplace_back();
    if (surface_.fate[at(cell)] != Fate::unknown) return given;
    cell_ = cell;
    most_sets_ = most_sets;
    if (auto proof = search(false)) return *std::move(proof);
    return *search(true);
}

// Nothing where the clues alone do not settle the cell.
std::optional<Proof> Prover::search(bool with_total) {
    with_total_ = with_total;
    work_ = 0;
    gave_up_ = not_settled_ = false;
    corrections_.clear();
    found_.clear();
    Cells chosen;
    for (std::size_t size = 0; size <= most_clues && found_.empty(); ++size) {
        extend(chosen, size);
        if (not_settled_ || gave_up_) break;
    }
    if (not_settled_ && !with_total) return std::nullopt;
    if (found_.empty()) return shrink_instead(with_total);
    std::sort(found_.begin(), found_.end());
    Proof proof;
    proof.premises = std::move(found_);
    proof.uses_total = with_total;
    // Sets are found in the order of their size, and none of the sets before was cut short.
    proof.smallest = proof.irreducible = true;
    proof.all = !gave_up_;
    return proof;
}

// Finds all proofs of at most `size` clues that hold those chosen and none of the excluded ones.
void Prover::extend(Cells& chosen, std::size_t size) {
    const auto meets = [&](const Cells& correction) {
        return std::any_of(correction.begin(), correction.end(), [&](std::int32_t clue) {
            return std::find(chosen.begin(), chosen.end(), clue) != chosen.end();
        });
    };
    std::size_t unmet = 0;
    while (unmet < corrections_.size() && meets(corrections_[unmet]))
        ++unmet;
    work_ += static_cast<std::int64_t>(unmet) + 1;
    if (unmet == corrections_.size()) {
        switch (meet(chosen)) {
            case Answer::unknown:
                gave_up_ = true;
                return;
            case Answer::unmeetable:
                if (found_.size() == most_sets_) {
                    gave_up_ = true;
                    return;
                }
                found_.push_back(chosen);
                std::sort(found_.back().begin(), found_.back().end());
                return;
            case Answer::met:
                if (broken_.empty()) {
                    not_settled_ = true;
                    return;
                }
                corrections_.push_back(broken_);
        }
    }
    if (chosen.size() == size) return;
    const auto correction = corrections_[unmet];  // a copy: more are found meanwhile
    Cells looked_at;
    for (const auto clue : correction) {
        if (excluded_[at(clue)]) continue;
        chosen.push_back(clue);
        extend(chosen, size);
        chosen.pop_back();
        if (gave_up_ || not_settled_) break;
        excluded_[at(clue)] = 1;
        looked_at.push_back(clue);
    }
    for (const auto clue : looked_at)
        excluded_[at(clue)] = 0;
}

std::uint32_t Prover::allowed(std::int32_t clue) const {
    const auto code = evidence_.cells[at(clue)];
    const auto& channel = evidence_.channel;
    if (code < 0 && !(code == cell::no_clue && channel.loses_clues)) return ~std::uint32_t{0};
    const int around = surface_.around[at(clue)];
    const int unknown = around % 16;
    const int known = around / 16;
    if (channel.exact)
        return code < known || code > known + unknown ? 0 : std::uint32_t{1} << (code - known);
    const int degree = evidence_.topology.degree(clue);
    const int seen = code < 0 ? no_clue_symbol : code;
    std::uint32_t result = 0;
    for (int mines = 0; mines <= unknown; ++mines)
        if (channel.likelihood(degree, known + mines, seen) > 0)
            result |= std::uint32_t{1} << mines;
    return result;
}

Prover::Answer Prover::meet(std::span<const std::int32_t> clues) {
    targets_.clear();
    boxes_.clear();
    Cells cells;
    for (std::size_t i = 0; i < clues.size(); ++i) {
        Target target{.allowed = allowed(clues[i])};
        for (const auto cell : evidence_.topology.neighbours(clues[i])) {
            if (surface_.fate[at(cell)] != Fate::unknown) continue;
            if (cell == cell_) {
                target.mines = layout_[at(cell)] ? 0 : 1;
                continue;
            }
            ++target.open;
            if (!signature_[at(cell)]) cells.push_back(cell);
            signature_[at(cell)] |= std::uint32_t{1} << i;
        }
        targets_.push_back(target);
    }
    for (const auto cell : cells) {
        const auto clues_of = signature_[at(cell)];
        auto box = std::find_if(boxes_.begin(), boxes_.end(),
                                [&](const Box& b) { return b.clues == clues_of; });
        if (box == boxes_.end()) box = boxes_.insert(box, Box{.clues = clues_of});
        box->cells.push_back(cell);
        box->mines += layout_[at(cell)];
    }
    for (const auto cell : cells)
        signature_[at(cell)] = 0;
    counts_.assign(boxes_.size(), 0);
    left_ = mines_ - (layout_[at(cell_)] ? 0 : 1);
    capacity_ = surface_.unknown - 1;
    if (!promising()) return Answer::unmeetable;
    if (!share_out(0)) return work_ > most_work ? Answer::unknown : Answer::unmeetable;
    find_broken();
    return Answer::met;
}

bool Prover::promising() const {
    if (with_total_ && (left_ < 0 || left_ > capacity_)) return false;
    return std::all_of(targets_.begin(), targets_.end(), [](const Target& target) {
        const auto reach = (std::uint32_t{2} << target.open) - 1;
        return (target.allowed >> target.mines & reach) != 0;
    });
}

// Decides the boxes from this one on, as close to the layout as can be.
bool Prover::share_out(std::size_t index) {
    if (index == boxes_.size()) return true;
    if (++work_ > most_work) return false;
    auto& box = boxes_[index];
    const int size = static_cast<int>(box.cells.size());
    const auto put = [&](int mines, int sign) {
        for (auto clues = box.clues; clues; clues &= clues - 1) {
            auto& target = targets_[at(std::countr_zero(clues))];
            target.mines += sign * mines;
            target.open -= sign * size;
        }
        left_ -= sign * mines;
        capacity_ -= sign * size;
    };
    for (int away = 0; away <= size; ++away)
        for (const int mines : {box.mines - away, box.mines + away}) {
            if (mines < 0 || mines > size || (away == 0 && mines != box.mines)) continue;
            put(mines, 1);
            counts_[index] = mines;
            if (promising() && share_out(index + 1)) return true;
            put(mines, -1);
            if (away == 0) break;
        }
    return false;
}

void Prover::turn(std::int32_t cell) {
    turned_.push_back(cell);
    const std::int8_t more = layout_[at(cell)] ? -1 : 1;
    for (const auto clue : evidence_.topology.neighbours(cell)) {
        touched_.push_back(clue);
        change_[at(clue)] = static_cast<std::int8_t>(change_[at(clue)] + more);
    }
}

// Makes the layout that was found from the one that fits, and notes which clues it breaks.
void Prover::find_broken() {
    turned_.clear();
    touched_.clear();
    turn(cell_);
    std::int64_t more = layout_[at(cell_)] ? -1 : 1;  // mines than in the layout
    const auto turn_some = [&](const Cells& cells, std::int64_t wanted) {
        for (const auto cell : cells) {
            if (wanted == 0) return;
            if (cell == cell_ || (wanted < 0) != (layout_[at(cell)] != 0)) continue;
            if (std::find(turned_.begin(), turned_.end(), cell) != turned_.end()) continue;
            turn(cell);
            wanted += wanted < 0 ? 1 : -1;
        }
    };
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        turn_some(boxes_[i].cells, counts_[i] - boxes_[i].mines);
        more += counts_[i] - boxes_[i].mines;
    }
    if (with_total_ && more != 0) {
        // Outside the boxes, where the fewest clues speak of it.
        if (by_clues_.empty()) {
            for_each_place(surface_.fate, Fate::unknown,
                           [&](std::int32_t cell) { by_clues_.push_back(cell); });
            const auto spoken_of = [&](std::int32_t cell) {
                const auto around = evidence_.topology.neighbours(cell);
                return std::count_if(around.begin(), around.end(), [&](std::int32_t clue) {
                    return evidence_.cells[at(clue)] >= 0;
                });
            };
            std::stable_sort(
                by_clues_.begin(), by_clues_.end(),
                [&](std::int32_t a, std::int32_t b) { return spoken_of(a) < spoken_of(b); });
        }
        Cells outside;
        for (const auto& box : boxes_)
            for (const auto cell : box.cells)
                signature_[at(cell)] = 1;
        for (const auto cell : by_clues_)
            if (!signature_[at(cell)]) outside.push_back(cell);
        for (const auto& box : boxes_)
            for (const auto cell : box.cells)
                signature_[at(cell)] = 0;
        turn_some(outside, -more);
    }
    broken_.clear();
    for (const auto clue : touched_) {
        const auto change = change_[at(clue)];
        if (change == 0) continue;
        change_[at(clue)] = 0;
        int mines = change;
        for (const auto cell : evidence_.topology.neighbours(clue))
            mines += surface_.fate[at(cell)] == Fate::unknown && layout_[at(cell)];
        if (!(allowed(clue) >> mines & 1)) broken_.push_back(clue);
    }
    std::sort(broken_.begin(), broken_.end());
}

// Where the search takes too long, a set that cannot be shrunk must do.
Proof Prover::shrink_instead(bool with_total) const {
    std::vector<std::int8_t> cells(evidence_.cells.begin(), evidence_.cells.end());
    cells[at(cell_)] = layout_[at(cell_)] ? cell::known_safe : cell::exploded;
    const Evidence turned{evidence_.topology, cells, evidence_.prior, evidence_.channel,
                          evidence_.trust_flags};
    Cells around;
    for (const auto clue : evidence_.topology.neighbours(cell_))
        if (allowed(clue) != ~std::uint32_t{0}) around.push_back(clue);
    const auto clash = with_total ? explain_total_clash(turned) : explain_clash(turned, around);
    Proof proof;
    proof.premises.push_back(clash.clues);
    proof.uses_total = with_total;
    proof.irreducible = clash.irreducible;
    return proof;
}

}  // namespace mineproof
