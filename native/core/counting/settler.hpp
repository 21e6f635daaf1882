// What single clues settle, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "board/index.hpp"
#include "counting/components.hpp"
#include "counting/evidence.hpp"
#include "counting/reading.hpp"

namespace mineproof {

// What is known of every cell.
struct KnownCells {
    // Without any clue.
    explicit KnownCells(const Evidence& evidence);

    Reading read(const Topology& topology, std::span<const std::int8_t> codes,
                 std::int32_t clue) const {
        return {.cell = clue,
                .seen = Reading::symbol(codes[at(clue)]),
                .degree = static_cast<std::int8_t>(topology.degree(clue)),
                .known = static_cast<std::int8_t>(around[at(clue)] / 16),
                .unknown = static_cast<std::int8_t>(around[at(clue)] % 16)};
    }

    std::vector<Knowledge> knowledge;
    std::vector<std::uint8_t> around;  // sums of the values of a cell's neighbours; a boxed
                                       // neighbour counts as unknown
    std::int64_t mined = 0;
    std::int64_t unknown = 0;  // boxed ones included
};

inline bool is_unknown(Knowledge knowledge) {
    return knowledge == Knowledge::unknown || knowledge == Knowledge::boxed;
}

// Settles what single clues imply, until nothing changes.
class Settler {
  public:
    // The topology, the codes and the channel must outlive the settler. Codes may change.
    Settler(const Evidence& evidence, KnownCells known)
        : topology_(evidence.topology),
          codes_(evidence.cells),
          reader_(evidence.channel),
          known_(std::move(known)),
          listens_(codes_.size(), Listens::no) {}

    const KnownCells& known() const { return known_; }
    std::vector<Knowledge>& knowledge() { return known_.knowledge; }

    const Reader& reader() const { return reader_; }
    Reading read(std::int32_t clue) const { return known_.read(topology_, codes_, clue); }

    // From now on the clue settles cells. Returns false if no unknown cell is around it and it is
    // wrong.
    bool add(std::int32_t clue) {
        const auto reading = read(clue);
        if (reading.unknown == 0) return reader_.likelihood(reading, 0) > 0.0;
        listens_[at(clue)] = Listens::yes;
        enqueue(clue);
        return true;
    }
    void remove(std::int32_t clue) { listens_[at(clue)] = Listens::no; }

    // Settles an unknown cell.
    void settle(std::int32_t cell, Knowledge knowledge) {
        put(cell, knowledge, 1);
        for (const auto other : topology_.neighbours(cell))
            if (listens_[at(other)] == Listens::yes) enqueue(other);
    }
    // Makes a settled cell unknown again.
    void unsettle(std::int32_t cell) {
        put(cell, known_.knowledge[at(cell)], -1);
        known_.knowledge[at(cell)] = Knowledge::unknown;
    }

    // Settles what follows from clues that were added or whose neighbours were settled. Calls
    // `see(cell, knowledge)` before each cell. Returns a clue that is wrong, if there is one.
    template <class See>
    std::optional<std::int32_t> run(See see) {
        while (!queue_.empty()) {
            const auto clue = queue_.back();
            queue_.pop_back();
            listens_[at(clue)] = Listens::yes;
            const auto reading = read(clue);
            const auto range = reader_.bounds(reading);
            if (!range) {
                stop();
                return clue;
            }
            if (reading.unknown == 0) continue;
            const auto [fewest, most] = *range;
            if (most > 0 && fewest < reading.unknown) continue;
            const auto knowledge = most == 0 ? Knowledge::safe : Knowledge::mined;
            for (const auto cell : topology_.neighbours(clue)) {
                if (!is_unknown(known_.knowledge[at(cell)])) continue;
                see(cell, knowledge);
                settle(cell, knowledge);
            }
        }
        return std::nullopt;
    }
    // Forgets what may still follow.
    void stop() {
        for (; !queue_.empty(); queue_.pop_back())
            listens_[at(queue_.back())] = Listens::yes;
    }

  private:
    enum class Listens : std::uint8_t { no, yes, queued };

    void put(std::int32_t cell, Knowledge knowledge, int sign);
    void enqueue(std::int32_t clue) {
        if (!reader_.decides(read(clue))) return;
        listens_[at(clue)] = Listens::queued;
        queue_.push_back(clue);
    }

    const Topology& topology_;
    std::span<const std::int8_t> codes_;
    Reader reader_;
    KnownCells known_;
    std::vector<Listens> listens_;  // by cell: whether it is a clue that settles cells
    std::vector<std::int32_t> queue_;
};

}  // namespace mineproof
