"""Owing, paying, mortgaging, and going bankrupt."""

from city_game.rules.flow import end_game, proceed
from city_game.rules.pieces import give_back
from city_game.rules.rents import rent
from city_game.rules.state import BANK, Illegal, State


def owe(
    state: State, debtor: int, creditor: int, amount: int, why: str, district: int = -1
) -> None:
    """Make a player owe; what leaves no choice is paid at once."""
    if why == "rent":
        state.events.append(("rent", debtor, district, amount))
    free = not state.debts and state.cash[debtor] >= amount
    if free and not (why == "rent" and state.dodge == debtor):
        _hand_over(state, debtor, creditor, amount, why)
        return
    state.debts.append((debtor, creditor, amount, why, district))


def can_raise(state: State, player: int) -> int:
    """Return the cash a player would have with everything mortgaged."""
    total = state.cash[player]
    for district in state.owned[player]:
        if not state.mortgage[district]:
            total += rent(state, district)
    return total


def pay(state: State, _action: tuple) -> None:
    debtor, creditor, amount, why, _ = state.debts[0]
    if state.cash[debtor] < amount:
        raise Illegal("not-enough-money")
    _hand_over(state, debtor, creditor, amount, why)
    _settled(state)


def dodge(state: State, _action: tuple) -> None:
    debtor, _, amount, why, district = state.debts[0]
    if why != "rent" or state.dodge != debtor:
        raise Illegal("no-dodge-card")
    state.dodge = BANK
    state.events.append(("dodged", debtor, district, amount))
    _settled(state)


def mortgage(state: State, action: tuple) -> None:
    """Take the district's rent of this moment from the bank, and earn none until lifted."""
    district = action[1]
    player = state.decider
    if state.owner[district] != player:
        raise Illegal("not-yours")
    if state.mortgage[district]:
        raise Illegal("mortgaged")
    if state.phase == "debt":
        if state.cash[player] >= state.debts[0][2]:
            raise Illegal("can-pay")
    elif not state.rules.mortgage_freely:
        raise Illegal("no-debt")
    amount = rent(state, district)
    state.mortgage[district] = amount
    state.cash[player] += amount
    state.events.append(("mortgaged", player, district, amount))


def lift(state: State, action: tuple) -> None:
    """Pay back exactly what the bank paid."""
    district = action[1]
    player = state.decider
    amount = state.mortgage[district]
    if state.owner[district] != player:
        raise Illegal("not-yours")
    if not amount:
        raise Illegal("not-mortgaged")
    if state.cash[player] < amount:
        raise Illegal("not-enough-money")
    state.cash[player] -= amount
    state.mortgage[district] = 0
    state.events.append(("lifted", player, district, amount))


def bankrupt(state: State, _action: tuple) -> None:
    """Leave the game; all goes to the creditor, or under the hammer for the bank."""
    debtor, creditor, amount, _, _ = state.debts[0]
    if can_raise(state, debtor) >= amount:
        raise Illegal("can-pay")
    state.events.append(("bankrupt", debtor, creditor))
    state.alive[debtor] = False
    state.debts = [debt for debt in state.debts if debtor not in debt[:2]]
    if state.dodge == debtor:
        state.dodge = BANK
    deeds = list(state.owned[debtor])
    for district in deeds:
        state.transfer(district, creditor)
    if creditor == BANK:
        _to_the_bank(state, debtor, deeds)
    else:
        state.cash[creditor] += state.cash[debtor]
        state.jail_cards[creditor] += state.jail_cards[debtor]
    state.cash[debtor] = 0
    state.jail_cards[debtor] = []
    state.jailed[debtor] = 0
    if sum(state.alive) == 1:
        state.debts.clear()
        state.estate.clear()
        end_game(state)
        return
    proceed(state)


def _to_the_bank(state: State, debtor: int, deeds: list[int]) -> None:
    for district in deeds:
        state.mortgage[district] = 0
        if not state.rules.estate_keeps_buildings:
            give_back(state, district)
    state.estate += deeds
    state.pile += state.jail_cards[debtor]


def _hand_over(state: State, debtor: int, creditor: int, amount: int, why: str) -> None:
    state.cash[debtor] -= amount
    if creditor >= 0:
        state.cash[creditor] += amount
    state.events.append(("paid", debtor, creditor, amount, why))


def _settled(state: State) -> None:
    state.debts.pop(0)
    proceed(state)
