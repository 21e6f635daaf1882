// A question to inference that owns what it asks about, so that answers can be computed later.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "board/model.hpp"
#include "board/topology.hpp"
#include "counting/evidence.hpp"

namespace mineproof {

struct Question {
    std::shared_ptr<const Topology> topology;
    std::vector<std::int8_t> cells;
    Prior prior;
    std::shared_ptr<const Channel> channel;
    bool trust_flags = false;

    Evidence evidence() const { return {*topology, cells, prior, *channel, trust_flags}; }
};

}  // namespace mineproof
