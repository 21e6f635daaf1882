// Visiting positions that were visited before allocates nothing: moves, conclusions and undo write
// into memory that is there already.
#include <atomic>
#include <cstdlib>
#include <new>

#include "posterior/conclusion.hpp"
#include "posterior/position.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

// Builds with assertions keep the structure of every component that is looked up, and sanitizers
// have operators of their own.
#ifdef NDEBUG

#ifdef __GNUC__  // does not see that these operators belong together once they are inlined
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {

std::atomic<long> allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

// Opens every boxed cell with every clue and takes it back. Returns how many of these positions
// were possible.
int visit_all(Position& position, Concluder& concluder) {
    int possible = 0;
    for (std::int32_t c = 0; c < position.topology().cells(); ++c) {
        if (position.knowledge(c) != Knowledge::boxed) continue;
        for (std::int8_t clue = 0; clue <= max_degree; ++clue) {
            if (position.open(c, clue))
                possible += concluder.conclude(position.layouts(), position.outside()) != nullptr;
            position.undo();
        }
    }
    return possible;
}

void visits_allocate_once(const std::shared_ptr<const Channel>& channel) {
    const auto topology = rectangle(9, 12);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const auto deal = scattered_position(*topology, 0.2, 0.3, seed);
        LayoutCache cache;
        Concluder concluder;
        Position position(
            {topology, deal.cells, {Prior::Kind::total, laid(deal), 0.0}, channel, false}, cache);
        const int possible = visit_all(position, concluder);
        CHECK(possible > 0);
        // Memory settles within a few rounds, because parts take over the memory of others.
        for (int round = 0; round < 6; ++round)
            visit_all(position, concluder);
        const long before = allocations;
        CHECK(visit_all(position, concluder) == possible);
        CHECK(allocations == before);
    }
}

}  // namespace

SUITE("posterior/visits") {
    visits_allocate_once(exact_channel());
    visits_allocate_once(lost_channel(0.2));
}

#else

SUITE("posterior/visits") {}

#endif
