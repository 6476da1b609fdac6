"""Sessions in a sale."""

from collections.abc import Sequence

from city_game.editions import described
from city_game.kernel import legal_actions
from city_game.table.session import Session
from city_unit import host
from tests.helpers.virtual_table import make_session, run_until

AUCTION_MS = described("city").auction_ms[0]
HOUR_MS = described("city").clock_ms


def put_up(seats: Sequence[str] = ("human", "human"), seed: int = 1) -> tuple[Session, host.Memory]:
    """Return a session in which a person has just put up their token's district for sale."""
    session, memory = make_session(seats, seed=seed)
    for _ in range(50):
        run_until(session, lambda: session.state.phase in ("roll", "unsold", "manage", "planning"))
        state = session.state
        if state.phase == "unsold":
            deed = state.board.deed_on[state.place[state.turn]]
            session.do(("put up", deed, 1))
            return session, memory
        if state.phase == "roll":
            session.do(("roll",))
        elif state.phase == "planning":
            session.do(next(iter(legal_actions(state))))
        else:
            session.do(("end turn",))
        session.step()
    raise AssertionError("nobody came to an unsold district")


def light(session: Session) -> tuple[int, int]:
    """Press AUCTION; return the times at which the light went on and will go out."""
    session.tap("auction")
    run_until(session, lambda: session.state.phase == "bidding")
    auction = session.state.auction
    assert auction is not None and auction.started is not None
    started = auction.started
    return started, started + AUCTION_MS
