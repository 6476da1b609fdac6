"""A sentence for the person that stays for a while, however fast the unit's time runs."""

from sim.engine.runner import Runner

STAYS_S = 4.0
WARNED_S = 15.0  # how long a warning stays, which nobody expects


class Saying:
    """The present message."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._sentence = ""
        self._until = 0.0

    def say(self, sentence: str, seconds: float = STAYS_S) -> None:
        """Say this now, and nothing else; "" is silence."""
        self._sentence = sentence
        self._until = self._runner.seconds() + seconds

    def now(self) -> str:
        """Return the present message, "" for none."""
        return self._sentence if self._runner.seconds() < self._until else ""
