"""Deals between players. The unit's light times the answer to an offer, as it times an auction."""

from city_game.kernel.state import Deal, State, are_valid, checks_of

OFFER = ("player", "partner", "gives", "asks", "amount", "cards")  # the fields of an offer
_CHECKS = checks_of(OFFER)


def offer(state: State, action: tuple) -> None:
    """Offer a deal: ("offer", proposer, partner, gives, asks, pays, takes cards)."""
    _, proposer, partner, gives, asks, pays, takes_cards = action
    returns_to = (state.phase, state.decider)
    state.deal = Deal(proposer, partner, gives, asks, pays, takes_cards, returns_to)
    state.phase, state.decider = "deal", partner
    state.events.append(("offered", proposer, partner, gives, asks, pays, takes_cards))


def refusal(state: State, action: tuple) -> str:
    """Return why a deal cannot be made, "" if it can. Accepts any ("offer", ...) in any phase."""
    if not are_valid(state, _CHECKS, action[1:]):
        return "no-such-thing"
    _, proposer, partner, gives, asks, pays, takes_cards = action
    if proposer == partner:
        return "with-oneself"
    if not (state.alive[proposer] and state.alive[partner]):
        return "out-of-the-game"
    if not (gives or asks or pays or takes_cards):
        return "empty-deal"
    if len(set(gives)) < len(gives) or len(set(asks)) < len(asks):
        return "twice-in-the-deal"
    if any(state.owner[deed] != proposer for deed in gives):
        return "not-yours"
    if any(state.owner[deed] != partner for deed in asks):
        return "not-theirs"
    if pays > state.cash[proposer] or -pays > state.cash[partner]:
        return "not-enough-money"
    if takes_cards > len(state.jail_cards[partner]):
        return "no-jail-card"
    if -takes_cards > len(state.jail_cards[proposer]):
        return "no-jail-card"
    if why := state.edition.deal_refusal(state, action):
        return why
    # The deal must not reduce the amount that a debtor can raise.
    if state.rules.debtors_may_give or not state.debts:
        return ""
    debtor = state.debts[0].debtor
    if debtor == partner:
        gives, asks, pays, takes_cards = asks, gives, -pays, -takes_cards
    elif debtor != proposer:
        return ""
    raises = state.edition.raises
    lost = pays + sum(raises(state, deed) for deed in gives)
    lost -= sum(raises(state, deed) for deed in asks)
    lost += sum(state.edition.interest(state, deed) for deed in asks)
    lost -= takes_cards * state.board.money.jail_fine
    return "gives-away" if lost > 0 else ""


def awaits_light(state: State) -> bool:
    """Return whether an offered deal still waits for the unit's light to go on."""
    return state.deal is not None and state.rules.deals_by_the_light and state.deal.started is None


def why_not_light_on(state: State, _action: tuple) -> str:
    return "" if awaits_light(state) else "untimed"


def light_on(state: State, action: tuple) -> None:
    """Record that the unit's light went on for the deal."""
    _deal(state).started = action[1]


def why_not_light_off(state: State, _action: tuple) -> str:
    return "no-light" if _deal(state).started is None else ""


def light_off(state: State, _action: tuple) -> None:
    """Record that the light was stopped or the unit was lost: the deal needs the light again."""
    _deal(state).started = None


def why_not_answer(state: State, _action: tuple) -> str:
    return "no-light" if awaits_light(state) else ""


def accept(state: State, _action: tuple) -> None:
    deal = _deal(state)
    for deed in deal.gives:
        state.transfer(deed, deal.partner)
    for deed in deal.asks:
        state.transfer(deed, deal.proposer)
    state.cash[deal.proposer] -= deal.pays
    state.cash[deal.partner] += deal.pays
    giver, taker = deal.partner, deal.proposer
    if deal.takes_cards < 0:
        giver, taker = taker, giver
    for _ in range(abs(deal.takes_cards)):
        state.jail_cards[taker].append(state.jail_cards[giver].pop())
    state.events.append(("agreed", deal.proposer, deal.partner))
    _go_back(state, deal)


def decline(state: State, _action: tuple) -> None:
    deal = _deal(state)
    state.events.append(("declined", deal.partner, deal.proposer))
    _go_back(state, deal)


def timed_out(state: State, _action: tuple) -> None:
    """End a deal because the light went out before the partner answered."""
    deal = _deal(state)
    state.events.append(("timed out", deal.proposer, deal.partner))
    _go_back(state, deal)


def _deal(state: State) -> Deal:
    assert state.deal is not None
    return state.deal


def _go_back(state: State, deal: Deal) -> None:
    state.deal = None
    state.phase, state.decider = deal.returns_to
