"""The settings, which a power cycle keeps, and their choice on the unit itself.

Switch the unit on with BUILD held: the permit lamps show a choice, BUILD goes
to the next, AUCTION takes it. First the program, then, if the players may
agree on it, the length of the game (the auction lamp is lit), then the volume
(the auction lamp flashes): 1, 2, 3, or the station for silence. All of this is
our own design; the original has no such choice.
"""

from .lamps import CHOICE_LAMPS
from .programs import PROGRAMS, Program

VOLUMES = (1, 2, 3, 0)  # as the permit lamps 1, 2, 3 and station show them


class Settings:
    """The chosen program, the length of its game in ms, and the volume (0 to 3)."""

    def __init__(self, programs: tuple = PROGRAMS) -> None:
        self.programs = programs
        self.volume = 2
        self.choose(programs[0])

    def copy(self) -> "Settings":
        twin = Settings(self.programs)
        twin.volume = self.volume
        twin.choose(self.program, self.clock_ms)
        return twin

    def choose(self, program: Program, clock_ms: int | None = None) -> None:
        """Set the program, with its own length of game unless another is given."""
        self.program = program
        self.clock_ms = program.clock_ms if clock_ms is None else clock_ms


class Setup:
    """The pages on which a person with two buttons changes the settings.

    page     "program", "length" or "volume"
    choices  the choices on it: programs, lengths in ms, or volumes
    choice   the place of the choice that is shown
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.open()

    def open(self) -> None:
        self._turn("program", self._settings.programs, self._settings.program)

    def next(self) -> None:
        """Go to the next choice, the first after the last."""
        self.choice = (self.choice + 1) % len(self.choices)
        if self.page == "volume":
            self._settings.volume = self.choices[self.choice]  # to be heard at once

    def take(self) -> bool:
        """Set the choice shown and turn the page; return whether it was the last."""
        settings = self._settings
        chosen = self.choices[self.choice]
        if self.page == "volume":
            return True
        if self.page == "length":
            settings.clock_ms = chosen
        else:
            settings.choose(chosen)
            if chosen.clock_choices_ms:
                self._turn("length", chosen.clock_choices_ms, settings.clock_ms)
                return False
        self._turn("volume", VOLUMES, settings.volume)
        return False

    def lamps(self) -> int:
        """Return the mask of permit lamps that shows the choice."""
        return CHOICE_LAMPS[self.choice]

    def _turn(self, page: str, choices: tuple, chosen: Program | int) -> None:
        self.page = page
        self.choices = choices
        self.choice = choices.index(chosen)
