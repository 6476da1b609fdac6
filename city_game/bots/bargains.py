"""A bot's deal: it offers money, or another deed, for the last deed that it lacks of a group.

Both sides should gain. The bot values a deed for its partner as it would in the partner's
place, and the money splits the gain.
"""

from typing import Protocol

from city_game.kernel.deals import refusal
from city_game.kernel.state import State

STEP = 10  # of the money offered, in notes: 100k
AGAIN = 0.2  # of the hour, before a bot asks for a deed again; wins do not depend on it


class Bargainer(Protocol):
    """The parts of a bot that an offer depends on.

    left        the share of the hour that remains, 1.0 to 0.0
    reserve     cash that the bot keeps, in notes
    least_gain  the least gain of a deal, in notes
    asked       the last request for a deed: by (deed, owner), the `left` of that moment
    """

    player: int
    left: float
    reserve: int
    least_gain: int
    asked: dict[tuple[int, int], float]

    def deed_worth(self, state: State, deed: int, player: int) -> int:
        """Return the worth of a deed to a player, as this bot sees it, in notes."""
        ...


def offer(bot: Bargainer, state: State) -> tuple | None:
    """Return the ("offer", ...) to make now, or None."""
    held = state.held[bot.player]
    members = state.board.members
    sizes = state.board.sizes
    for group in [group for group, size in enumerate(sizes) if held[group] == size - 1]:
        wanted = next(deed for deed in members[group] if state.owner[deed] != bot.player)
        partner = state.owner[wanted]
        if partner < 0 or bot.asked.get((wanted, partner), 2.0) - bot.left < AGAIN:
            continue
        bot.asked[wanted, partner] = bot.left
        terms = _terms(bot, state, wanted, partner)
        if terms and not refusal(state, terms):
            return terms
    return None


def _terms(bot: Bargainer, state: State, wanted: int, partner: int) -> tuple | None:
    """Return the offer with the highest total gain, None if a side would not gain enough."""
    me = bot.player
    gain = bot.deed_worth(state, wanted, me)
    loss = bot.deed_worth(state, wanted, partner)
    best, gives, pays = gain - loss, (), (gain + loss) // 2
    group_of = state.board.group_of
    for mine in state.owned[me]:
        if group_of[mine] == group_of[wanted] or not _useful(state, mine, partner):
            continue
        lost = bot.deed_worth(state, mine, me)
        gained = bot.deed_worth(state, mine, partner)
        if gain - loss + gained - lost > best:
            best, gives = gain - loss + gained - lost, (mine,)
            pays = (gain - lost + loss - gained) // 2
    pays = pays // STEP * STEP
    if best // 2 <= bot.least_gain + STEP or pays > state.cash[me] - bot.reserve:
        return None
    return ("offer", me, partner, gives, (wanted,), pays, 0)


def _useful(state: State, deed: int, partner: int) -> bool:
    """Return whether the partner holds others of the group, and the giver none."""
    group = state.board.group_of[deed]
    giver = state.owner[deed]
    return state.held[partner][group] > 0 and state.held[giver][group] == 1
