"""Owing, paying, mortgaging, and going bankrupt."""

from city_game.kernel.flow import end_game, proceed
from city_game.kernel.state import BANK, Debt, State


def owe(state: State, debtor: int, creditor: int, amount: int, why: str, deed: int = -1) -> None:
    """Make a player owe; it is paid at once unless the player can choose."""
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
    """Mortgage a deed: the bank pays its loan, and it earns no rent until that is lifted."""
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


def cash_and_loans(state: State, player: int) -> int:
    """Return the cash a player would have with everything mortgaged."""
    loan = state.edition.loan
    return state.cash[player] + sum(
        loan(state, deed) for deed in state.owned[player] if not state.mortgage[deed]
    )


def why_not_give_up(state: State, _action: tuple) -> str:
    debt = state.debts[0]
    return "can-pay" if state.edition.liquidity(state, debt.debtor) >= debt.amount else ""


def bankrupt(state: State, _action: tuple) -> None:
    """Remove a bankrupt from the game; all goes to the creditor, or to auction for the bank.

    By the house rule a bankrupt plays on with nothing, and the rest of the debt is waived.
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
        state.debts.clear()
        state.estate.clear()
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
