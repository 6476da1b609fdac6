"""The settings, which survive a power cycle, and the setup on the unit itself.

To set the unit up, switch it on with BUILD held. The permit lamps show a choice, BUILD advances to
the next, AUCTION accepts it. The pages are the program, then the length of the game if the program
offers several (the auction lamp is lit), then the volume (the auction lamp flashes): 1, 2, 3, or
the station for silence. This is our own design; the original has no setup.
"""

from .lamps import CHOICE_LAMPS
from .programs import PROGRAMS, Program

VOLUMES = (1, 2, 3, 0)  # shown by the permit lamps 1, 2, 3 and station


class Settings:
    """The program, the length of its game in ms, and the volume (0 to 3).

    programs  those that the setup offers: at most as many as `CHOICE_LAMPS`
    """

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
        """Set the program, and the length of game; by default the program's own."""
        self.program = program
        self.clock_ms = program.clock_ms if clock_ms is None else clock_ms


class Setup:
    """The pages on which the settings are changed with two buttons.

    page     "program", "length" or "volume"
    choices  on this page: programs, lengths in ms, or volumes
    choice   the index of the choice shown
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.open()

    def open(self) -> None:
        self._turn("program", self._settings.programs, self._settings.program)

    def next(self) -> None:
        """Advance to the next choice, cyclically."""
        self.choice = (self.choice + 1) % len(self.choices)
        if self.page == "volume":
            self._settings.volume = self.choices[self.choice]  # so that the next beep has it

    def accept(self) -> bool:
        """Accept the choice shown and turn the page; return whether it was the last page."""
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
        """Return the mask of permit lamps for the choice."""
        return CHOICE_LAMPS[self.choice]

    def _turn(self, page: str, choices: tuple, chosen: Program | int) -> None:
        self.page = page
        self.choices = choices
        self.choice = choices.index(chosen)
