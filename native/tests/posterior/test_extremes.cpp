// Weights outside the range of a double: no layout may be lost or invented.
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

// A clue is right, except for a tiny chance of each wrong value.
std::shared_ptr<const Channel> slipping_channel(double chance) {
    return channel_of([=](int, int k, int seen) {
        return seen == k ? 1.0 : seen == no_clue_symbol ? 0.0 : chance;
    });
}

// Clues with one unknown neighbour each, far from each other.
Question isolated(int count, std::int8_t clue, double slip, Prior prior) {
    std::vector<std::int8_t> cells;
    for (int i = 0; i < count; ++i)
        cells.insert(cells.end(), {clue, cell::closed, cell::known_safe});
    return {rectangle(1, 3 * count), cells, prior, slipping_channel(slip), false};
}

// All clues must be wrong for the known total. That is unlikely, but it is the only layout.
void an_unlikely_total_is_no_clash() {
    for (const int count : {5, 11, 20, 60, 300})
        for (const double slip : {1e-6, 1e-30}) {
            const auto all = answer(isolated(count, 0, slip, {Prior::Kind::total, count, 0.0}));
            CHECK(all && all->mined().size() == at(count));
            const auto most =
                answer(isolated(count, 0, slip, {Prior::Kind::total, count - 1, 0.0}));
            CHECK(most && std::abs(most->risk()[1] - (count - 1.0) / count) < 1e-3);
            CHECK(most && most->mined().empty());
        }
}

// The cells are independent, so the risk of a cell does not depend on how many others there are.
void strong_clues_against_a_strong_prior() {
    const double density = 1e-7;
    const double slip = 1e-6;
    for (const int count : {20, 50, 80, 200, 300}) {
        const auto question = isolated(count, 1, slip, {Prior::Kind::density, 0, density});
        const auto posterior = answer(question);
        const double mined = question.channel->likelihood(2, 1, 1) * density;
        const double free = question.channel->likelihood(2, 0, 1) * (1.0 - density);
        CHECK(posterior && std::abs(posterior->risk()[4] - mined / (mined + free)) < 1e-9);
    }
}

// An unlikely layout is still possible, even if its weight is a product of two tiny factors.
void unlikely_is_not_impossible() {
    Question question{rectangle(1, 3),
                      {0, cell::closed, 0},
                      {Prior::Kind::unknown, 0, 0.0},
                      slipping_channel(1e-200),
                      false};
    const auto any = answer(question);
    CHECK(any && any->safe().empty() && any->risk()[1] > 0.0);
    question.prior = {Prior::Kind::total, 1, 0.0};
    const auto told = answer(question);
    CHECK(told && told->mined().size() == 1);
}

}  // namespace

SUITE("posterior/extremes") {
    an_unlikely_total_is_no_clash();
    strong_clues_against_a_strong_prior();
    unlikely_is_not_impossible();
}
