#include "agents/logic.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mineproof {

namespace {

// The number of turns without a new mark after which the player stops.
constexpr int patience = 5;

}  // namespace

void KnowledgeBase::reset(std::size_t cells) {
    origins_.clear();
    kept_.clear();
    with_.assign(cells, {});
    next_age_ = 0;
    unmatched_.clear();
    safe_.reset(cells);
    mined_.reset(cells);
    markers_.clear();
    marker_.assign(cells, -1);
}

std::int32_t KnowledgeBase::new_origin(std::int32_t source) {
    origins_.push_back({-1, -1, source});
    return static_cast<std::int32_t>(origins_.size()) - 1;
}

void KnowledgeBase::learn(std::deque<Sentence> waiting) {
    while (!waiting.empty()) {
        auto sentence = std::move(waiting.front());
        waiting.pop_front();
        leave_out_marked(sentence);
        const auto size = static_cast<std::int64_t>(sentence.cells.size());
        if (size == 0 || sentence.mines < 0 || sentence.mines > size) continue;
        if (sentence.mines > 0 && sentence.mines < size) {
            keep(sentence);
            continue;
        }
        mark(sentence);
        for (const auto touched : touching(sentence.cells))
            waiting.push_back(take(touched));
        markers_.push_back(std::move(sentence));
    }
}

void KnowledgeBase::match() {
    // A pair without a new sentence has been matched before.
    const auto fresh = std::exchange(unmatched_, {});
    for (const auto& cells : fresh) {
        std::vector<Cells> parts_and_wholes;
        for (const auto kept : touching(cells)) {
            const auto& other = kept->first;
            if (other.size() != cells.size() &&
                (std::ranges::includes(other, cells) || std::ranges::includes(cells, other)))
                parts_and_wholes.push_back(other);
        }
        for (const auto& other : parts_and_wholes)
            if (cells.size() < other.size())
                reduce(other, cells);
            else
                reduce(cells, other);
    }
}

void KnowledgeBase::reduce(const Cells& whole, const Cells& part) {
    const auto found = kept_.find(whole);
    const auto less = kept_.find(part);
    if (found == kept_.end() || less == kept_.end()) return;
    const auto from = take(found);
    Sentence rest{{}, from.mines - less->second.mines, -1};
    std::ranges::set_difference(from.cells, part, std::back_inserter(rest.cells));
    rest.origin = static_cast<std::int32_t>(origins_.size());
    origins_.push_back({from.origin, less->second.origin, 0});
    learn({std::move(rest)});
}

void KnowledgeBase::leave_out_marked(Sentence& sentence) const {
    std::erase_if(sentence.cells, [&](std::int32_t cell) {
        const bool mined = mined_.contains(cell);
        sentence.mines -= mined;
        return mined || safe_.contains(cell);
    });
}

void KnowledgeBase::mark(const Sentence& sentence) {
    for (const auto cell : sentence.cells) {
        (sentence.mines > 0 ? mined_ : safe_).set(cell, true);
        marker_[at(cell)] = static_cast<std::int32_t>(markers_.size());
    }
}

void KnowledgeBase::keep(const Sentence& sentence) {
    const Kept kept{next_age_, sentence.mines, sentence.origin};
    const auto [place, is_new] = kept_.try_emplace(sentence.cells, kept);
    if (!is_new) return;
    ++next_age_;
    for (const auto cell : sentence.cells)
        with_[at(cell)].push_back(place);
    unmatched_.push_back(sentence.cells);
}

Sentence KnowledgeBase::take(ByCells::iterator kept) {
    for (const auto cell : kept->first)
        std::erase(with_[at(cell)], kept);
    const auto node = kept_.extract(kept);
    return {node.key(), node.mapped().mines, node.mapped().origin};
}

std::vector<KnowledgeBase::ByCells::iterator> KnowledgeBase::touching(const Cells& cells) const {
    std::vector<ByCells::iterator> found;
    for (const auto cell : cells)
        found.insert(found.end(), with_[at(cell)].begin(), with_[at(cell)].end());
    std::ranges::sort(found, {}, [](auto kept) { return kept->second.age; });
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

std::vector<std::int32_t> KnowledgeBase::sources(const Sentence& sentence) const {
    std::vector<std::int32_t> result;
    std::vector<std::int32_t> waiting(sentence.origin >= 0 ? 1 : 0, sentence.origin);
    std::vector<std::uint8_t> seen(origins_.size(), 0);
    while (!waiting.empty()) {
        const auto number = waiting.back();
        waiting.pop_back();
        if (std::exchange(seen[at(number)], 1)) continue;
        const auto& [whole, part, source] = origins_[at(number)];
        if (whole < 0 && part < 0) result.push_back(source);
        for (const auto parent : {whole, part})
            if (parent >= 0) waiting.push_back(parent);
    }
    return result;
}

void LogicPlayer::start(const Question& question) {
    known_.reset(question.cells.size());
    const auto left = clues().mines_left(question.prior);
    if (!left) return;
    Sentence total{{}, *left, known_.new_origin(KnowledgeBase::from_total)};
    for (std::int32_t cell = 0; cell < topology().cells(); ++cell)
        if (clues().is_unknown(cell)) total.cells.push_back(cell);
    known_.learn({std::move(total)});
}

Decision LogicPlayer::choose(const Question&) {
    learn();
    for (int turn = 0; turn < patience; ++turn) {
        known_.match();
        if (auto decision = mark()) return *decision;
    }
    if (clues().openable().size() < topology().cells()) return {};
    return clues().guess(random(), "nothing is known yet: a random cell");
}

// Turns what is seen into sentences, without the clues that were seen before.
void LogicPlayer::learn() {
    std::deque<Sentence> sentences{{{}, 0, -1},
                                   {{}, 0, known_.new_origin(KnowledgeBase::from_start)}};
    const auto codes = clues().codes();
    auto& open = sentences.front().cells;
    for (std::size_t i = 0; i < codes.size(); ++i)
        if (cell::is_open(codes[i])) open.push_back(static_cast<std::int32_t>(i));
    clues().known_safe().for_each([&](std::int32_t cell) { sentences[1].cells.push_back(cell); });
    for (const auto clue : clues().changed()) {
        if (!clues().all().contains(clue)) continue;
        Sentence sentence{{}, clues().left(clue), known_.new_origin(clue)};
        clues().for_each_unknown(clue, [&](std::int32_t cell) { sentence.cells.push_back(cell); });
        sentences.push_back(std::move(sentence));
    }
    known_.learn(std::move(sentences));
}

std::optional<Decision> LogicPlayer::mark() {
    const auto safe = known_.safe().first_common(clues().openable());
    const auto cell = safe >= 0 ? safe : known_.mined().first_common(clues().openable());
    if (cell < 0) return std::nullopt;
    const auto kind = safe >= 0 ? MoveKind::open : MoveKind::flag;
    return Decision{{certainly(kind, cell)}, [this, cell] { return because(cell); }};
}

std::string LogicPlayer::because(std::int32_t cell) const {
    const auto& sentence = known_.marker(cell);
    std::vector<std::string> sources;
    for (const auto source : known_.sources(sentence))
        sources.push_back(source == KnowledgeBase::from_total   ? "the mine total"
                          : source == KnowledgeBase::from_start ? "what is known from the start"
                                                                : clues().name(source));
    std::ranges::sort(sources);
    const auto repeated = std::ranges::unique(sources);
    sources.erase(repeated.begin(), repeated.end());
    constexpr std::size_t most_named = 3;
    if (sources.size() > most_named) {
        const auto more = std::to_string(sources.size() - most_named) + " more";
        sources.resize(most_named);
        sources.push_back(more);
    }
    std::string text = "{";
    if (sentence.cells.size() > max_degree)
        text += std::to_string(sentence.cells.size()) + " cells";
    else
        for (const auto one : sentence.cells)
            text += (one == sentence.cells.front() ? "" : ", ") + topology().name(one);
    text += "} = " + std::to_string(sentence.mines) + " by ";
    for (std::size_t i = 0; i < sources.size(); ++i)
        text += (i == 0 ? "" : " and ") + sources[i];
    return text;
}

}  // namespace mineproof
