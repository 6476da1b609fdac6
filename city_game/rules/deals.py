"""Deals between players, timed by the unit's light like an auction."""

from city_game.rules.state import Deal, Illegal, State


def offer(state: State, action: tuple) -> None:
    """Offer a deal: ("offer", proposer, partner, gives, asks, pays, takes cards)."""
    _, proposer, partner, gives, asks, pays, takes_cards = action
    why = refusal(state, action)
    if why:
        raise Illegal(why)
    returns_to = (state.phase, state.decider)
    state.deal = Deal(proposer, partner, gives, asks, pays, takes_cards, returns_to)
    state.phase = "deal"
    state.decider = partner
    state.events.append(("offered", proposer, partner, gives, asks, pays, takes_cards))


def refusal(state: State, action: tuple) -> str:
    """Return why a deal cannot be made, "" if it can."""
    _, proposer, partner, gives, asks, pays, takes_cards = action
    if proposer == partner:
        return "with-oneself"
    if not (state.alive[proposer] and state.alive[partner]):
        return "out-of-the-game"
    if not (gives or asks or pays or takes_cards):
        return "empty-deal"
    if len(set(gives)) < len(gives) or len(set(asks)) < len(asks):
        return "twice-in-the-deal"
    if any(state.owner[one] != proposer for one in gives):
        return "not-yours"
    if any(state.owner[one] != partner for one in asks):
        return "not-theirs"
    if pays > state.cash[proposer] or -pays > state.cash[partner]:
        return "not-enough-money"
    if takes_cards > len(state.jail_cards[partner]):
        return "no-jail-card"
    if -takes_cards > len(state.jail_cards[proposer]):
        return "no-jail-card"
    return ""


def accept(state: State, _action: tuple) -> None:
    deal = _deal(state)
    for district in deal.gives:
        state.transfer(district, deal.partner)
    for district in deal.asks:
        state.transfer(district, deal.proposer)
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
    """The light went out before an answer."""
    deal = _deal(state)
    state.events.append(("timed out", deal.proposer, deal.partner))
    _go_back(state, deal)


def _deal(state: State) -> Deal:
    if state.deal is None:
        raise Illegal("no-deal")
    return state.deal


def _go_back(state: State, deal: Deal) -> None:
    state.deal = None
    state.phase, state.decider = deal.returns_to
