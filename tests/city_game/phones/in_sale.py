"""Telephones in the middle of a sale."""

from tests.city_game.phones.desk import Desk
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import run_until


def in_sale(seats=("human", "human", "human")):
    session, memory = put_up(seats)
    light(session)
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 500)
    return Desk(session), memory


def others(session):
    opener = session.state.auction.opener
    return [player for player in range(len(session.names)) if player != opener]
