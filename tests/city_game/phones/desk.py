"""A table and its telephones, connected in memory."""

import json

from city_game.phones.server import Seats
from city_game.phones.telephones import Telephones
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import run_until


class Phone:
    """A telephone on an ideal line; its clock is `ahead` of the table's."""

    def __init__(self, desk, number, ahead=5000.0):
        self.desk, self.number, self.ahead = desk, number, ahead
        self.count = 0
        self.view, self.welcome, self.answers = {}, None, {}

    def hello(self, **more):
        self.raw({"n": 0, "say": "hello", "page": f"page-{self.number}", **more})
        self.desk.step()
        return self

    def say(self, what, **more):
        """Send a request; return the reason for a refusal, or ""."""
        self.count += 1
        self.raw({"n": self.count, "say": what, **more})
        self.desk.step()
        return self.answers[self.count]

    def sit(self, player, over=False):
        return self.say("seat", player=player, over=over)

    def bid(self, amount, ago=0.0):
        now = self.desk.now
        sale = len(self.desk.session.state.sales)
        return self.say("bid", amount=amount, sale=sale, at=now - ago + self.ahead)

    def raw(self, message):
        text = message if isinstance(message, (str, bytes)) else json.dumps(message)
        self.desk.telephones.heard(self.number, self.desk.now, text)

    def measure(self, trip=2.0):
        now = self.desk.now
        for _ in range(3):
            self.desk.telephones.measured(self.number, now - trip, now, now - trip / 2 + self.ahead)
        return self

    def take(self, text):
        message = json.loads(text)
        if "view" in message:
            self.view = message["view"]
        elif "welcome" in message:
            self.welcome = message["welcome"]
        else:
            self.answers[message["done"]] = message["why"]


class Desk:
    """A session, and the telephones that connect to it."""

    def __init__(self, session=None):
        self.phones = {}
        self.telephones = Telephones(Seats(), self._deliver)
        self.play(session)

    def play(self, session):
        self.session = session
        self.telephones.use(session)
        self.telephones.step()

    @property
    def now(self):
        return self.session.unit.host_ms() if self.session else 1000.0

    def phone(self, role="player", **hello):
        number = len(self.phones) + 1
        self.phones[number] = Phone(self, number)
        self.telephones.opened(number, role)
        return self.phones[number].hello(**hello).measure()

    def seated(self, player, **hello):
        phone = self.phone(**hello)
        assert phone.sit(player) == ""
        return phone

    def gone(self, phone):
        self.telephones.closed(phone.number)
        self.step()

    def show(self):
        """Send all views after a change by hand, by connecting a spectator."""
        self.phone(role="spectator")

    def step(self):
        self.telephones.step()

    def pass_time(self, frames=40):
        for _ in range(frames):
            self.session.step()
            self.telephones.step()

    def _deliver(self, number, text):
        self.phones[number].take(text)


def in_sale(seats=("human", "human", "human")):
    """Return a desk in a sale, just after the opening bid."""
    session, _ = put_up(seats)
    light(session)
    run_until(session, lambda: session.unit.now() > session.state.auction.started + 500)
    return Desk(session)


def others(session):
    opener = session.state.auction.opener
    return [player for player in range(len(session.names)) if player != opener]
