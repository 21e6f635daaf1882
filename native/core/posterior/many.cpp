#include "posterior/many.hpp"

#include <algorithm>
#include <limits>

#include "board/index.hpp"
#include "board/threads.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

ManyAnswers infer_many(const Question& question, std::span<const std::int8_t> cells,
                       std::span<const std::int64_t> mines, Budget budget, int threads) {
    const auto size = at(question.topology->cells());
    const auto count = cells.size() / size;
    ManyAnswers answers;
    answers.risk.assign(cells.size(), std::numeric_limits<double>::quiet_NaN());
    answers.found.assign(count, Finding::clash);
    std::vector<Solver> solvers(at(threads));
    in_threads(at(threads), count, [&](std::size_t thread, std::size_t i) {
        auto asked = question;
        const auto seen = cells.subspan(i * size, size);
        asked.cells.assign(seen.begin(), seen.end());
        if (!mines.empty()) asked.prior = {Prior::Kind::total, mines[i], 0.0};
        try {
            const auto posterior = solvers[thread].infer_if_possible(std::move(asked), budget,
                                                                     Precision::may_estimate);
            if (!posterior) return;
            answers.found[i] = posterior->exact() ? Finding::exact : Finding::estimate;
            std::ranges::copy(posterior->risk(),
                              answers.risk.begin() + static_cast<std::ptrdiff_t>(i * size));
        } catch (const BudgetExceeded&) {
            answers.found[i] = Finding::nothing;
        }
    });
    return answers;
}

}  // namespace mineproof
