"""The course of a game: the next step, debts and mortgages, the next turn, the end.

An action that opens no phase of its own ends with `proceed`, which runs the edition's list of
pending steps. The first step that applies sets the next phase and decider, and the rest wait for
the next call. So the order of the list is the order of play. By default debts come first, then the
auctions of a bankrupt's estate, the end of a turn cut short by jail or bankruptcy, the rest of a
move, and the player's own actions.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from city_game.kernel.state import BANK, Auction, Debt, State


def proceed(state: State, *_what: Any) -> None:
    """Take the first pending step. Also serves as the effect of actions and spaces without one."""
    for step in state.edition.pending:
        if step(state):
            return


def debts(state: State) -> bool:
    if not state.debts:
        return False
    state.phase, state.decider = "debt", state.debts[0][0]
    return True


def over(state: State) -> bool:
    """End a game whose end had to wait for a creditor's interest; see `bankrupt`."""
    if not state.edition.is_over(state):
        return False
    end_game(state)
    return True


def estate(state: State) -> bool:
    if not state.estate:
        return False
    open_auction(state, state.estate.pop(0))
    return True


def stopped(state: State) -> bool:
    """End the turn of a player sent to jail or out of the game; return whether it ended."""
    if not state.stopped and state.alive[state.turn]:
        return False
    end_turn(state)
    return True


def steps_owed(state: State) -> bool:
    if not state.steps_owed:
        return False
    state.phase, state.decider = "leaving jail", state.turn
    return True


def manage(state: State) -> bool:
    """Open the part of the turn in which the player builds, trades, or ends it."""
    state.phase, state.decider = "manage", state.turn
    return True


PENDING = (debts, estate, stopped, steps_owed, manage)


def open_auction(state: State, *sale: Any) -> None:
    """Open the sale of a deed or lot, with the fields of `Auction`; the unit's light starts it."""
    state.auction = auction = Auction(*sale)
    state.phase, state.decider = "hammer", BANK
    state.events.append(("put up", auction.opener, auction.thing, auction.opening))


def end_turn(state: State, _action: tuple = ()) -> None:
    """Pass the dice: to the same player after a double, else to the next player."""
    player = state.turn
    again = state.doubles and not state.stopped and state.alive[player]
    if state.edition.is_last_turn(state) and not (again and state.rules.finish_doubles):
        end_game(state)
        return
    if not again:
        state.doubles = 0
        state.turns += 1
        place = state.order.index(player)
        later = state.order[place + 1 :] + state.order[:place]
        state.turn = player = next(other for other in later if state.alive[other])
    state.stopped = False
    state.steps_owed = 0
    state.edition.begin_turn(state)
    state.phase, state.decider = ("jail" if state.jailed[player] else "roll"), player
    state.events.append(("rolls again" if again else "turn", player))


class Standing(NamedTuple):
    """A team in the ranking by wealth; in most editions each player is a team.

    place    1 for the richest; teams of equal worth share a place
    players  the seats of the team
    worth    the worth of its richest player in notes, 0 if all are bankrupt
    """

    place: int
    players: Sequence[int]
    worth: int


def wealth(state: State) -> list[int]:
    """Return the wealth of each player in notes, 0 for bankrupts."""
    return [
        state.edition.worth(state, player) if state.alive[player] else 0
        for player in range(state.players)
    ]


def standing(state: State) -> list[Standing]:
    """Return the teams, the richest first, during a game or after it.

    Bankrupt teams rank below a team that is still in the game with nothing left.
    """
    worths, alive = wealth(state), state.alive
    best = [
        (max(worths[player] if alive[player] else -1 for player in team), team)
        for team in state.edition.teams(state)
    ]
    return sorted(
        Standing(1 + sum(other > worth for other, _team in best), team, max(0, worth))
        for worth, team in best
    )


def end_game(state: State) -> None:
    """End the game: the richest players win, with their teams."""
    first = [one.players for one in standing(state) if one.place == 1]
    state.winners = sorted(player for team in first for player in team)
    state.phase, state.decider = "over", BANK
    for player in range(state.players):
        if state.alive[player]:
            state.events.append(("worth", player, state.edition.worth(state, player)))
    for player in state.winners:
        state.events.append(("won", player))


# The unit's hour ends the game after the current turn.


def why_not_end_hour(state: State, _action: tuple) -> str:
    if state.rules.until_one_is_left:
        return "until-one-is-left"
    return "hour-over-already" if state.hour_over else ""


def hour_ended(state: State, action: tuple) -> None:
    state.hour_over = True
    state.events.append(("hour ended", action[1]))


def new_hour(state: State, action: tuple) -> None:
    """Continue for another hour: the players have switched the unit off and on."""
    state.hour_over = False
    state.events.append(("new hour", action[1]))


# Owing, paying, mortgaging, and going bankrupt.


def owe(state: State, debtor: int, creditor: int, amount: int, why: str, deed: int = -1) -> None:
    """Charge a player. It is paid at once unless they cannot, may choose, or a debt is open."""
    if why == "rent":
        state.events.append(("rent", debtor, deed, amount))
    free = not state.debts and state.cash[debtor] >= amount
    if free and not state.edition.may_choose(state, debtor, why):
        _hand_over(state, Debt(debtor, creditor, amount, why, deed))
        return
    state.debts.append(Debt(debtor, creditor, amount, why, deed))


def why_not_pay(state: State, _action: tuple) -> str:
    debt = state.debts[0]
    return "not-enough-money" if state.cash[debt.debtor] < debt.amount else ""


def pay(state: State, _action: tuple) -> None:
    _hand_over(state, state.debts[0])
    settled(state)


def why_not_mortgage(state: State, action: tuple) -> str:
    deed = action[1]
    if state.mortgage[deed]:
        return "mortgaged"
    if reason := state.edition.loan_refusal(state, deed):
        return reason
    if state.phase == "debt":
        return "can-pay" if state.cash[state.decider] >= state.debts[0].amount else ""
    return "" if state.rules.mortgage_freely else "no-debt"


def mortgage(state: State, action: tuple) -> None:
    """Mortgage a deed: the bank pays the loan, and the deed earns no rent until it is lifted."""
    deed = action[1]
    player = state.decider
    amount = state.edition.loan(state, deed)
    state.mortgage[deed] = amount
    state.cash[player] += amount
    state.events.append(("mortgaged", player, deed, amount))


def why_not_lift(state: State, action: tuple) -> str:
    deed = action[1]
    if not state.mortgage[deed]:
        return "not-mortgaged"
    cost = state.edition.redemption(state, deed)
    return "not-enough-money" if state.cash[state.decider] < cost else ""


def lift(state: State, action: tuple) -> None:
    """Pay back the bank's loan, with its interest."""
    deed = action[1]
    player = state.decider
    amount = state.edition.redemption(state, deed)
    state.cash[player] -= amount
    state.mortgage[deed] = 0
    state.events.append(("lifted", player, deed, amount))


def loan_left(state: State, deed: int) -> int:
    """Return the loan that the bank would still make on a deed."""
    return 0 if state.mortgage[deed] else state.edition.loan(state, deed)


def cash_and_deeds(state: State, player: int) -> int:
    """Return the cash that a player would have after raising money on all deeds."""
    raises = state.edition.raises
    return state.cash[player] + sum(raises(state, deed) for deed in state.owned[player])


def why_not_bankrupt(state: State, _action: tuple) -> str:
    debt = state.debts[0]
    return "can-pay" if state.edition.liquidity(state, debt.debtor) >= debt.amount else ""


def bankrupt(state: State, _action: tuple) -> None:
    """Remove a bankrupt from the game: all goes to the creditor, or to auction if that is the bank.

    By a house rule a bankrupt plays on with nothing, and the rest of the debt is waived.
    """
    debtor, creditor = state.debts[0][:2]
    plays_on = state.rules.bankrupts_play_on()
    state.events.append(("starts anew" if plays_on else "bankrupt", debtor, creditor))
    state.debts = [debt for debt in state.debts if debt.debtor != debtor]
    if not plays_on:
        state.alive[debtor] = False
        state.jailed[debtor] = 0
        state.debts = [debt for debt in state.debts if debt.creditor != debtor]
    state.edition.give_up(state, debtor, creditor)
    deeds = list(state.owned[debtor])
    for deed in deeds:
        state.transfer(deed, creditor)
    if creditor == BANK:
        for deed in deeds:
            state.mortgage[deed] = 0
        state.estate += deeds
        state.pile += state.jail_cards[debtor]
    else:
        state.cash[creditor] += state.cash[debtor]
        state.jail_cards[creditor] += state.jail_cards[debtor]
    state.cash[debtor] = 0
    state.jail_cards[debtor] = []
    if state.edition.is_over(state):
        state.estate.clear()
        # A creditor's interest on the mortgages is due before several players are ranked by wealth.
        several = sum(state.alive) > 1
        state.debts = [debt for debt in state.debts if several and debt.why == "interest"]
        if not state.debts:
            end_game(state)
            return
    proceed(state)


def _hand_over(state: State, debt: Debt) -> None:
    state.cash[debt.debtor] -= debt.amount
    if debt.creditor >= 0:
        state.cash[debt.creditor] += debt.amount
    state.events.append(("paid", *debt[:4]))


def settled(state: State) -> None:
    state.debts.pop(0)
    proceed(state)
