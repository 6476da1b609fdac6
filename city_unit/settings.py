"""What a power cycle keeps, and how it is chosen on the unit itself.

Switch the unit on with BUILD held: the permit lamps show a choice, BUILD goes
to the next, AUCTION takes it. First the program, then, if the players may
agree on it, the length of the game (the auction lamp is lit), then the volume
(the auction lamp flashes): 1, 2, 3, or the station for silence. All of this is
our own design; the original has no such choice.
"""

from city_unit.lamps import CHOICES
from city_unit.programs import PROGRAMS

VOLUMES = (1, 2, 3, 0)  # as the permit lamps 1, 2, 3 and station show them


class Settings:
    """The chosen program, the length of its game in ms, and the volume (0 to 3)."""

    def __init__(self, programs: tuple = PROGRAMS) -> None:
        self.programs = programs
        self.volume = 2
        self.choose(programs[0])

    def choose(self, program, clock_ms: int | None = None) -> None:
        """Take a program, with its own length of game unless one is given."""
        self.program = program
        self.clock_ms = program.clock_ms if clock_ms is None else clock_ms


class Setup:
    """The pages on which a person with two buttons changes the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.open()

    def open(self) -> None:
        self.page = "program"
        self._choice = self._settings.programs.index(self._settings.program)

    def next(self) -> None:
        """Go to the next choice, the first after the last."""
        self._choice = (self._choice + 1) % len(self._choices())
        if self.page == "volume":
            self._settings.volume = VOLUMES[self._choice]  # to be heard at once

    def take(self) -> bool:
        """Take the choice shown and turn the page; return whether it was the last."""
        settings = self._settings
        if self.page == "volume":
            return True
        if self.page == "program":
            settings.choose(settings.programs[self._choice])
            lengths = settings.program.clock_choices_ms
            if lengths:
                self.page = "length"
                self._choice = lengths.index(settings.clock_ms)
                return False
        else:
            settings.clock_ms = settings.program.clock_choices_ms[self._choice]
        self.page = "volume"
        self._choice = VOLUMES.index(settings.volume)
        return False

    def lamps(self) -> int:
        """Return the mask of permit lamps that shows the choice."""
        return CHOICES[self._choice]

    def _choices(self) -> tuple:
        if self.page == "program":
            return self._settings.programs
        if self.page == "length":
            return self._settings.program.clock_choices_ms
        return VOLUMES
