// Visiting positions that were visited before allocates nothing: moves, conclusions and undo write
// into memory that is there already. So do looking ahead and the search of an ending.
#include <atomic>
#include <cstdlib>
#include <new>

#include "posterior/conclusion.hpp"
#include "posterior/position.hpp"
#include "search/ending.hpp"
#include "search/lookahead.hpp"
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

void looking_ahead_allocates_once() {
    const auto topology = rectangle(9, 12);
    const auto deal = scattered_position(*topology, 0.2, 0.3, 2);
    LayoutCache cache;
    Concluder concluder;
    Position position(
        {topology, deal.cells, {Prior::Kind::total, laid(deal), 0.0}, exact_channel(), false},
        cache);
    const auto conclusion = conclude(position.layouts(), position.outside());
    auto candidates = select(position, *conclusion, {});
    CHECK(candidates.size() > 1);
    const auto look = [&] {
        const long before = allocations;
        for (auto& candidate : candidates)
            look_ahead(position, *conclusion, {}, concluder, candidate);
        return allocations - before;
    };
    for (int round = 0; round < 6; ++round)
        look();
    CHECK(look() == 0);
}

// So few layouts that no set of them is kept.
void a_search_allocates_once() {
    // Each cell is a mine in one layout, and its clue tells the others apart.
    constexpr auto mine = Ending::mine;
    const Ending ending({0, 1, 2, 3}, 4,
                        {mine, 1, 2, 3, 1, mine, 2, 3, 1, 2, mine, 3, 1, 2, 3, mine});
    EndingSearch search(ending, 1000);
    const auto won = search.value();
    CHECK(won == 3);
    const long before = allocations;
    CHECK(search.value() == won);
    CHECK(allocations == before);
}

}  // namespace

SUITE("posterior/visits") {
    looking_ahead_allocates_once();
    a_search_allocates_once();
    visits_allocate_once(exact_channel());
    visits_allocate_once(lost_channel(0.2));
}

#else

SUITE("posterior/visits") {}

#endif
