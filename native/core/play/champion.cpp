#include "play/champion.hpp"

#include "board/index.hpp"
#include "play/rollouts.hpp"
#include "posterior/posterior.hpp"
#include "search/endings.hpp"

namespace mineproof {

void ChampionPlayer::guess(Position& position, const Conclusion& conclusion, Judgement& judgement) {
    if (play_ending(position, conclusion, judgement)) return;
    const auto compared =
        compare_guesses(position, conclusion, strength_.selection, strength_.outlook);
    if (compared.empty()) return;
    const auto& best = strength_.boards > 0
                           ? try_on_boards({position, conclusion}, compared, strength_.boards)
                           : compared.front();
    judgement.best = best.cell;
    judgement.risk = best.risk;
    judgement.why =
        "no cell is certainly safe: this one is likely to be safe and to leave a safe next move";
}

bool ChampionPlayer::play_ending(const Position& position, const Conclusion& conclusion,
                                 Judgement& judgement) const {
    const Posterior posterior(position, conclusion);
    const auto endings = find_endings(posterior, strength_.ending_layouts);
    const auto play = [&](const Ending& ending) {
        const auto solved = solve(ending, strength_.ending_work);
        if (!solved) return false;
        judgement.best = solved->cell;
        judgement.risk = posterior.risk()[at(solved->cell)];
        judgement.why = "few layouts are left: this cell is best in optimal play";
        judgement.ending = true;
        return true;
    };
    // Nothing else ever helps with an isolated part, so it can be played at once.
    for (const auto& ending : endings.isolated)
        if (play(ending)) return true;
    return endings.joint && play(*endings.joint);
}

}  // namespace mineproof
