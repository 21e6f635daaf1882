#include "counting/components.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "board/index.hpp"

namespace mineproof {

namespace {

// Tiny weights are not merged: Wide numbers multiply them later.
bool product_is_normal(const Clue& a, const Clue& b) {
    for (std::size_t i = 0; i < a.weight.size(); ++i)
        if (a.weight[i] > 0.0 && b.weight[i] > 0.0 && !std::isnormal(a.weight[i] * b.weight[i]))
            return false;
    return true;
}

// Returns false if no number of mines is left.
bool absorb(Clue& clue, const Clue& other) {
    int fewest = clue.capacity + 1;
    int most = -1;
    for (int mines = 0; mines <= clue.capacity; ++mines) {
        auto& weight = clue.weight[at(mines)];
        weight *= other.weight[at(mines)];
        if (weight == 0.0) continue;
        fewest = std::min(fewest, mines);
        most = mines;
    }
    if (most < 0) return false;
    clue.fewest = static_cast<std::int8_t>(fewest);
    clue.most = static_cast<std::int8_t>(most);
    return true;
}

void drop_clue(Box& box, std::int32_t clue) {
    const auto end = box.clue.begin() + box.clues;
    const auto place = std::find(box.clue.begin(), end, clue);
    std::copy(place + 1, end, place);
    --box.clues;
}

}  // namespace

int Component::cells() const {
    int total = 0;
    for (const auto& box : boxes)
        total += box.size;
    return total;
}

Component Components::operator[](std::size_t index) const {
    assert(index < ranges.size());
    const auto& range = ranges[index];
    return {std::span(boxes).subspan(at(range.box_begin), at(range.box_end - range.box_begin)),
            std::span(clues).subspan(at(range.clue_begin), at(range.clue_end - range.clue_begin)),
            cells};
}

ComponentBuilder::ComponentBuilder(const Topology& topology)
    : topology_(topology), clue_at_(at(topology.cells()), -1) {}

ComponentBuilder::Clash ComponentBuilder::build(std::vector<Knowledge>& knowledge,
                                                Components& out) {
    boxes_.clear();
    members_.clear();
    for (std::size_t id = 0; id < clues_.size(); ++id)
        clue_at_[at(clues_[id].cell)] = static_cast<std::int32_t>(id);
    // Step 1.2. Put cells next to the same clues into boxes.
    form_boxes(knowledge);
    for (const auto& clue : clues_)
        clue_at_[at(clue.cell)] = -1;
    // Step 1.3. Merge clues around the same boxes.
    const auto clash = merge_equal_clues();
    // Step 1.4. Split what is not connected.
    if (!clash) split(out);
    clues_.clear();
    return clash;
}

void ComponentBuilder::form_boxes(std::vector<Knowledge>& knowledge) {
    for (const auto& clue : clues_) {
        const auto first_box = boxes_.size();
        for (const auto cell : topology_.neighbours(clue.cell)) {
            if (knowledge[at(cell)] != Knowledge::unknown) continue;
            knowledge[at(cell)] = Knowledge::boxed;
            put_into_box(cell, first_box);
        }
    }
}

// A cell can only join boxes that were created at its first clue.
void ComponentBuilder::put_into_box(std::int32_t cell, std::size_t first_box) {
    Box box;
    for (const auto other : topology_.neighbours(cell)) {
        const auto clue = clue_at_[at(other)];
        if (clue >= 0) box.clue[box.clues++] = clue;
    }
    auto id = first_box;
    while (id < boxes_.size() && !(boxes_[id].clues == box.clues && boxes_[id].clue == box.clue))
        ++id;
    if (id == boxes_.size()) {
        for (const auto clue_id : box.clue_list()) {
            auto& clue = clues_[at(clue_id)];
            clue.box[clue.boxes++] = static_cast<std::int32_t>(id);
        }
        boxes_.push_back(box);
    }
    ++boxes_[id].size;
    members_.push_back({static_cast<std::int32_t>(id), cell});
}

// Two clues around the same boxes are equivalent to one with the product of their weights.
ComponentBuilder::Clash ComponentBuilder::merge_equal_clues() {
    for (std::int32_t id = 0; id < static_cast<std::int32_t>(clues_.size()); ++id) {
        auto& clue = clues_[at(id)];
        if (clue.boxes == 0) continue;
        auto& box = boxes_[at(clue.box[0])];
        for (int i = box.clues - 1; i >= 0; --i) {
            const auto other_id = box.clue[at(i)];
            auto& other = clues_[at(other_id)];
            if (other_id <= id || other.boxes != clue.boxes || other.box != clue.box ||
                !product_is_normal(clue, other))
                continue;
            if (!absorb(clue, other)) return std::array{clue.cell, other.cell};
            for (const auto b : other.box_list())
                drop_clue(boxes_[at(b)], other_id);
            other.boxes = 0;
        }
    }
    return std::nullopt;
}

std::int32_t ComponentBuilder::root(std::int32_t clue) {
    while (parent_[at(clue)] != clue) {
        parent_[at(clue)] = parent_[at(parent_[at(clue)])];
        clue = parent_[at(clue)];
    }
    return clue;
}

void ComponentBuilder::split(Components& out) {
    parent_.resize(clues_.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const auto& box : boxes_) {
        for (const auto clue : box.clue_list()) {
            // The smaller index becomes the root, so components are in reading order.
            const auto a = root(box.clue[0]);
            const auto b = root(clue);
            parent_[at(std::max(a, b))] = std::min(a, b);
        }
    }
    number_clues(out);
    number_boxes(out);
    place_cells(out);
}

void ComponentBuilder::number_clues(Components& out) {
    component_of_.assign(clues_.size(), -1);
    new_clue_.assign(clues_.size(), -1);
    sizes_.clear();
    for (std::size_t id = 0; id < clues_.size(); ++id) {
        if (clues_[id].boxes == 0) continue;
        const auto top = root(static_cast<std::int32_t>(id));
        if (component_of_[at(top)] < 0) {
            component_of_[at(top)] = static_cast<std::int32_t>(sizes_.size());
            sizes_.push_back(0);
        }
        component_of_[id] = component_of_[at(top)];
        new_clue_[id] = sizes_[at(component_of_[id])]++;
    }
    out.ranges.resize(sizes_.size());
    std::int32_t begin = 0;
    for (std::size_t component = 0; component < sizes_.size(); ++component) {
        out.ranges[component].clue_begin = begin;
        begin += sizes_[component];
        out.ranges[component].clue_end = begin;
    }
    out.clues.resize(at(begin));
}

void ComponentBuilder::number_boxes(Components& out) {
    sizes_.assign(out.ranges.size(), 0);
    local_.resize(boxes_.size());
    for (std::size_t id = 0; id < boxes_.size(); ++id)
        local_[id] = sizes_[at(component_of_[at(boxes_[id].clue[0])])]++;
    std::int32_t begin = 0;
    for (std::size_t component = 0; component < sizes_.size(); ++component) {
        out.ranges[component].box_begin = begin;
        begin += sizes_[component];
        out.ranges[component].box_end = begin;
    }
    out.boxes.resize(boxes_.size());
    new_box_.resize(boxes_.size());
    for (std::size_t id = 0; id < boxes_.size(); ++id) {
        const auto& range = out.ranges[at(component_of_[at(boxes_[id].clue[0])])];
        new_box_[id] = range.box_begin + local_[id];
        auto& box = out.boxes[at(new_box_[id])];
        box = boxes_[id];
        for (int i = 0; i < box.clues; ++i)
            box.clue[at(i)] = new_clue_[at(box.clue[at(i)])];
    }
    for (std::size_t id = 0; id < clues_.size(); ++id) {
        if (clues_[id].boxes == 0) continue;
        const auto& range = out.ranges[at(component_of_[id])];
        auto& clue = out.clues[at(range.clue_begin + new_clue_[id])];
        clue = clues_[id];
        for (int i = 0; i < clue.boxes; ++i)
            clue.box[at(i)] = local_[at(clue.box[at(i)])];
    }
}

void ComponentBuilder::place_cells(Components& out) {
    std::int32_t begin = 0;
    for (auto& box : out.boxes) {
        box.first = begin;
        begin += box.size;
    }
    out.cells.resize(at(begin));
    filled_.assign(out.boxes.size(), 0);
    for (const auto& [box, cell] : members_) {
        const auto id = at(new_box_[at(box)]);
        out.cells[at(out.boxes[id].first + filled_[id]++)] = cell;
    }
}

}  // namespace mineproof
