"""A telephone's page in a Chromium, with a test in place of a table at its line; its messages."""

import json
from functools import cache

from tests.city_game.phones.in_sale import in_sale
from tests.helpers.patience import until
from tests.sim.web.conftest import stop_time

WELCOME = {"language": "en", "languages": [], "texts": {}, "role": "player", "table": "", "how": []}
MONEY = {"thousands": "{number}k", "millions": "{number}M", "mark": ".", "group": ","}

PROPOSAL = {"number": 1, "mine": False, "other": 1, "you_give": "30M", "you_get": "nothing"}


class Alone:
    """A telephone: the whole page, with a test in place of a table at its line.

    said  its messages
    """

    def __init__(self, people, files, time_stands=False, **wishes):
        context = people(**wishes)
        if time_stands:
            stop_time(context)
        self.page = context.new_page()
        self.said, self._line, self._pongs = [], None, []
        self.page.route_web_socket("**", self._open)
        self.page.goto(files)
        until(lambda: self.page.evaluate("() => 1") and self._line)

    def look(self, shown):
        """Show a view, and wait until the page has painted it."""
        self._line.send(json.dumps({"view": shown | {"token": ""}}))
        number = len(self._pongs)
        self._line.send(json.dumps({"ping": number}))
        until(lambda: self.page.evaluate("() => 1") and len(self._pongs) > number)

    def answer(self, why):
        self._line.send(json.dumps({"done": self.said[-1]["n"], "why": why}))

    def _open(self, line):
        def hear(text):
            message = json.loads(text)
            if "pong" in message:
                self._pongs.append(message)
            elif message["say"] == "hello":
                line.send(json.dumps({"welcome": WELCOME | {"money": MONEY}}))
                self._line = line
            else:
                self.said.append(message)

        line.on_message(hear)


@cache
def told():
    """Return the message to the first of three players in a sale: another leads with 400k."""
    desk, _ = in_sale()
    desk.session.names[:] = ["Ann", "Bob", "Cleo"]
    assert desk.session.auctioneer.bid(1, 40)
    return json.dumps(desk.seated(0).view)


def sale_view(phase="bidding", **more):
    """Return that view, in another phase, and with other parts."""
    seen = json.loads(told())
    seen["players"][0]["cash"] = 3000
    return seen | {"phase": phase} | more


def hand(**more):
    return sale_view()["hand"] | {"bidding": None} | more


def player(name, worth=20, human=True):
    own = {"name": name, "worth": worth, "human": human, "alive": worth > 0, "deeds": []}
    return sale_view()["players"][0] | own


def view(phase, players, **more):
    """Return the view of a table's first player, in no sale."""
    return sale_view(phase, players=players, sale=None, hand=hand()) | more
