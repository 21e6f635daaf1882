#include "posterior/conclusion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "board/index.hpp"

namespace mineproof {

namespace {

template <class Value>
BoxRange range_of(std::span<const Value> values, int size) {
    BoxRange range;
    for (int mines = 0; mines <= size; ++mines)
        if (values[at(mines)] > 0) range.allow(mines, size);
    return range;
}

template <class Value>
bool all_have_risk(const PolynomialOf<Value>& mines, const Outside& outside, double risk) {
    for (std::size_t i = 0; i < mines.weight.size(); ++i)
        if (mines.weight[i] > 0 &&
            outside.interior_risk(mines.fewest + static_cast<std::int64_t>(i)) != risk)
            return false;
    return true;
}

// Appends the risks of the boxes of a part.
template <class Prove>
void conclude_part(const Layouts& layouts, const std::vector<double>& values, Prove prove,
                   std::vector<double>& box_risk) {
    const auto boxes = layouts.boxes();
    const auto certain_in = [&](const auto& box_values) {
        for (std::size_t b = 0; b < boxes; ++b)
            if (range_of(values_of(box_values, b), layouts.box_size(b)).certain()) return true;
        return false;
    };
    const auto support = prove(certain_in(values));
    for (std::size_t b = 0; b < boxes; ++b) {
        const int size = layouts.box_size(b);
        const auto range = support.empty() ? range_of(values_of(values, b), size)
                                           : range_of(values_of(support, b), size);
        if (range.certain())
            box_risk.push_back(range.mine ? 1.0 : 0.0);
        else
            box_risk.push_back(uncertain(mean_share(values_of(values, b), size)));
    }
}

}  // namespace

double uncertain(double risk) {
    return std::clamp(risk, std::numeric_limits<double>::min(), std::nextafter(1.0, 0.0));
}

const Conclusion* Concluder::conclude(Parts parts, const Outside& outside) {
    // Step 4.
    combination_.combine(parts, outside);
    const auto& combination = combination_;
    if (!combination.fits()) return nullptr;
    auto& result = result_;
    result.box_risk.clear();
    result.boxed_mines = combination.mines();
    result.log_weight = combination.log_weight();
    result.interior_risk = 0.0;
    // Step 5. Needed only if ends of long products were cut and a zero may not be a proof.
    std::optional<Possibility> logic;
    const auto reason = [&]() -> const Possibility& {
        if (!logic) logic = possibility(parts, outside);
        return *logic;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // A zero in the component is a proof if the rest allows all of its totals.
        const auto around = combination.around(i);
        const bool doubtful =
            !combination.zeros_are_proofs() &&
            std::ranges::any_of(around, [](Wide weight) { return !weight.positive(); });
        const auto prove = [&](bool claims) {
            return claims && doubtful ? parts[i]->box_support(reason().totals[i])
                                      : std::vector<std::uint8_t>{};
        };
        parts[i]->box_values(around, values_);
        conclude_part(*parts[i], values_.chances, prove, result.box_risk);
    }
    if (outside.interior() == 0) return &result;
    const double risk = outside.interior_risk(result.boxed_mines);
    result.interior_risk = uncertain(risk);
    for (const double claim : {0.0, 1.0})
        if (all_have_risk(result.boxed_mines, outside, claim) &&
            (combination.zeros_are_proofs() || all_have_risk(reason().mines, outside, claim)))
            result.interior_risk = claim;
    return &result;
}

std::optional<Conclusion> conclude(Parts parts, const Outside& outside) {
    Concluder concluder;
    if (!concluder.conclude(parts, outside)) return std::nullopt;
    return std::move(concluder.result_);
}

}  // namespace mineproof
