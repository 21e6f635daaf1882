// Whole games on boards so small that all layouts can be listed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "board/generate.hpp"
#include "board/topology.hpp"
#include "search/ending.hpp"

namespace mineproof {

// The number of ways to lay the mines; nothing if there are more than `most`.
std::optional<std::size_t> count_layouts(std::size_t cells, std::size_t mines, std::size_t most);

// All layouts of a number of mines that a start rule allows.
class SmallBoard {
  public:
    static constexpr int most_cells = 64;

    // Throws std::invalid_argument if the board has more than `most_cells` cells, or if there is no
    // room for the mines. `first` matters only under `safe` and `zero`. The search stops after
    // `work`, as in EndingSearch.
    SmallBoard(const Topology& topology, int mines, Start start, std::int32_t first,
               std::int64_t work);

    std::size_t layouts() const { return ending_.layouts(); }
    // The layouts that are won by opening a cell first and then playing optimally; as in
    // EndingSearch.
    std::optional<std::uint32_t> value_of(std::size_t cell, std::uint32_t least) {
        return search_.value_of(cell, least);
    }

  private:
    SmallBoard(const Topology& topology, const std::vector<std::uint64_t>& layouts, Start start,
               std::int32_t first, std::int64_t work);

    Ending ending_;
    EndingSearch search_;
};

}  // namespace mineproof
