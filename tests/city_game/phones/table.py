"""`city-game --phones` as a process, without a screen."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from city_game.editions.city import EDITION
from city_game.kernel.board import load
from city_game.save import NOTES, action_of
from tests.helpers.emulated import lasting_port
from tests.helpers.patience import PATIENCE_S, until

ROOT = Path(__file__).parents[3]
BOARD = load(EDITION)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
SEED = "10"


class Table:
    """A run of the table, and the addresses for telephones."""

    def __init__(self, folder, *words):
        self.folder = folder
        environment = os.environ | {
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "CITY_GAME_FOLDER": str(folder),
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "city_game.cli", "--lang", "en", "table", *words]
        port = 0 if "--resume" in words else lasting_port()
        command += ["--pace", "0", "--phones", f"127.0.0.1:{port}"]
        self.program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        known = until(self._known, lambda: self.program.poll())
        self.port, self.code = known["port"], known["code"]

    def address(self, port=0, role=""):
        return f"http://127.0.0.1:{port or self.port}/{self.code}/{role}"

    def steps(self):
        """Return the saved actions."""
        (file,) = self.folder.glob("*.city")
        lines = [line.rsplit(" *", 1)[0] for line in file.read_text().splitlines()]
        steps = lines[lines.index("play") + 1 :]
        return [action_of(step, BOARD) for step in steps if not step.startswith(NOTES)]

    def kill(self):
        self.program.kill()
        self.program.communicate()

    def end(self):
        if self.program.poll() is None:
            self.program.terminate()
        return self.program.communicate(timeout=PATIENCE_S)[1]

    def _known(self):
        file = self.folder / "telephones.json"
        known = json.loads(file.read_text()) if file.exists() else {"port": 0}
        with socket.socket() as line:
            answers = known["port"] and line.connect_ex(("127.0.0.1", known["port"])) == 0
        return known if answers else None


def seated(people, address, name, **wishes):
    """Return the page of a player who has taken a seat."""
    page = people(**wishes).new_page()
    page.goto(address)
    page.on("dialog", lambda asked: asked.accept())  # it asks if the seat is another's
    page.locator(".seat", has_text=name).tap()
    page.wait_for_selector("body.seated")
    return page
