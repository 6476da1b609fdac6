"""A telephone's page in a Chromium, with a test in place of a table at its line."""

import json

from tests.helpers.patience import until
from tests.sim.web.conftest import stop_time

WELCOME = {"language": "en", "languages": [], "texts": {}, "role": "player", "table": "", "how": []}
MONEY = {"thousands": "{number}k", "millions": "{number}M", "mark": ".", "group": ","}


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
