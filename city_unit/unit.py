"""The unit: contacts and time go in; lamps, a tone and numbered events come out.

The body, such as a board or a window, calls `step` whenever a contact changes and at `next_due`,
and shows `lamps` and `tone`. Between steps nothing changes, so a body may sleep until `next_due`.

The parts with deadlines (timers, lamps, clock, contacts, buzzer) each have a `due` and a `fire`. A
step fires all due parts in order of their deadlines, each with the time at which it was due, so
that a late step delays nothing after it. Some parts return an input for the table in
`transitions.py`. Its row selects the next state and the method that sets timers, adds an event and
plays a cue. `_show` then collects the lamps and the tone from the parts.
"""

from .clock import Clock
from .contacts import Button, Switch
from .cues import Player
from .draws import weighted
from .events import KEPT, Events
from .facts import AUCTION, BUILD, LAMP_COUNT, PERMITS, SWITCH, TONE
from .lamps import Flash, PermitLight
from .settings import Settings, Setup
from .ticks import SIGN_BIT, add, diff, earliest
from .transitions import TRANSITIONS


class Timer:
    """A deadline; `fire` returns the input `what`."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.due: int | None = None

    def fire(self, _due: int) -> str:
        self.due = None
        return self.what


class Unit:
    """One electronic unit.

    settings          program, length of game and volume, which survive switching off
    below             returns a uniform integer from 0 to n - 1, as `Draws.below`
    state             a key of `TRANSITIONS`
    lamps             the lit lamps, a bit mask in the order of `facts.LAMPS`
    tone              in Hz, 0 for silence
    changed_at        when the last change of each of `facts.OUTPUTS` was due
    events            the last `kept` events
    clock             the game's clock
    is_end_postponed  whether the game ends only after the current auction or permit
    setup             the pages of the setup, in that state
    """

    def __init__(self, settings: Settings, below, kept: int = KEPT) -> None:
        self.settings = settings
        self.state = "off"
        self.lamps = 0
        self.tone = 0
        self.changed_at = [0] * (TONE + 1)
        self.events = Events(kept)
        self.clock = Clock()
        self.is_end_postponed = False
        self.setup = Setup(settings)
        self._below = below
        self._levels = 0  # of the contacts
        self._asked_length = 0  # ms, the length of auction in the link's command
        self._auction_length = 0  # ms; 0 while it is secret
        self._auction_ends = 0  # time
        self._auction_timer = Timer("")  # its input is set when it starts
        self._cancel_timer = Timer("stop auction")
        self._permit_light = PermitLight()
        self._auction_flash = Flash()
        self._player = Player()
        self._switch = Switch()
        self._auction_button = Button("press auction", "release auction")
        self._build_button = Button("press build", "")
        self._parts = (  # everything with deadlines; equal ones fire in this order
            self._auction_timer,
            self._permit_light,
            self.clock,
            self._cancel_timer,
            self._switch,
            self._auction_button,
            self._build_button,
            self._auction_flash,
            self._player,
        )
        self._next_due: int | None = None  # the earliest deadline

    def copy(self, below) -> "Unit":
        """Return an independent unit in the same state, with a copy of the settings.

        below  its source of draws
        The copy continues the event numbers but has none of the earlier events.
        """
        twin = Unit(self.settings.copy(), below)
        twin.state = self.state
        twin.lamps = self.lamps
        twin.tone = self.tone
        twin.changed_at = self.changed_at[:]
        twin.events.count = self.events.count
        twin.is_end_postponed = self.is_end_postponed
        twin.setup.page = self.setup.page
        twin.setup.choices = self.setup.choices
        twin.setup.choice = self.setup.choice
        twin._levels = self._levels
        twin._auction_length = self._auction_length
        twin._auction_ends = self._auction_ends
        twin._next_due = self._next_due
        for part, original in zip(twin._parts, self._parts):
            for name, value in original.__dict__.items():  # a part has only immutable values
                setattr(part, name, value)
        return twin

    def step(self, now: int, levels: int) -> None:
        """Advance to `now`, then apply the levels of the contacts.

        levels   the closed contacts, a mask of AUCTION, BUILD and SWITCH
        """
        due = self._next_due
        if levels == self._levels and (due is None or (now - due) & SIGN_BIT):
            return
        self._advance(now)
        if levels == self._levels:
            return
        self._levels = levels
        self._auction_button.sense(now, bool(levels & AUCTION))
        self._build_button.sense(now, bool(levels & BUILD))
        what = self._switch.sense(now, bool(levels & SWITCH))
        if what:
            self._react(now, what)
        self._show(now)
        self._advance(now)

    def command(self, now: int, what: str, length: int = 0) -> str:
        """Run a command of the link; return "", or the reason of a refusal.

        what   "start auction" with `length` ms, 0 for the program's own length; "stop auction";
               "restart", to start a game with changed settings
        """
        self._advance(now)
        self._asked_length = length
        why = self._transition(now, what)
        self._asked_length = 0
        self._show(now)
        self._advance(now)
        return why

    def next_due(self) -> int | None:
        """Return when to step next; None if only a contact can change anything."""
        return self._next_due

    def auction_left(self, now: int) -> int:
        """Return the remaining ms of the auction; 0 without one, or if it is secret."""
        if self._auction_timer.due is None or not self._auction_length:
            return 0
        return diff(self._auction_ends, now)

    # Deadlines and outputs.

    def _advance(self, now: int) -> None:
        """Fire all due parts, and find the next deadline."""
        while True:
            part = earliest(self._parts)
            self._next_due = None if part is None else part.due
            if part is None or (now - part.due) & SIGN_BIT:
                return
            due = part.due
            what = part.fire(due)
            if what:
                self._react(due, what)
            self._show(due)

    def _show(self, at: int) -> None:
        """Update the lamps and the tone from the parts; note when they changed."""
        lamps = self._permit_light.lamps << 1 | self._auction_flash.is_lit
        changed = lamps ^ self.lamps
        if changed:
            self.lamps = lamps
            for lamp in range(LAMP_COUNT):
                if changed >> lamp & 1:
                    self.changed_at[lamp] = at
        if self.tone != self._player.value:
            self.tone = self._player.value
            self.changed_at[TONE] = at

    # Inputs, transitions and events.

    def _react(self, now: int, what: str) -> None:
        """Handle the input `what`: by its transition, unless it is one of the exceptions here."""
        if what == "mark passed":
            clock = self.clock
            self._announce(now, clock.kind, clock.label or clock.left)
            return
        if what == "release auction":
            self._cancel_timer.due = None
            return
        if what == "switch on":
            self._auction_button.ignore()
            self._build_button.ignore()
            if self._build_button.is_closed:
                what = "set up"
        why = self._transition(now, what)
        if why and why != "off":  # only the two presses can be without a row
            self._announce(now, "refused", "auction" if what == "press auction" else "build", why)

    def _transition(self, now: int, what: str) -> str:
        """Apply the table's row for `what`; return "", or the reason of a refusal."""
        row = TRANSITIONS[self.state].get(what)
        if row is None:
            return self.state
        if what == "press build" and self.state == "ready" and not self.settings.program.odds:
            return "no-permits"
        self.state = row[0]  # first, since the action may cause another transition
        getattr(self, row[1])(now)
        return ""

    def _announce(
        self, now: int, kind: str, value: str | int | None = None, why: str | None = None
    ) -> None:
        """Add an event and play its cue."""
        self.events.add(now, kind, value, why)
        self._play(now, kind)

    def _play(self, now: int, name: str) -> None:
        cue = self.settings.program.cues.get(name)
        if cue:
            self._player.play(now, cue)

    # Power and settings.

    def _start_game(self, now: int) -> None:
        """Start a game, announced as `switched-on` after the setup and a restart too."""
        self._reset()
        settings = self.settings
        self._announce(now, "switched-on", settings.program.name)
        if settings.clock_ms:
            self.clock.start(now, settings.clock_ms, settings.program.marks)

    def _switch_off(self, now: int) -> None:
        self._reset()
        self.events.add(now, "switched-off")

    def _reset(self) -> None:
        self.is_end_postponed = False
        self._clear_auction()
        self._permit_light.show(0)
        self._player.silence()
        self.clock.stop()

    def _open_setup(self, now: int) -> None:
        self.setup.open()
        self._show_choice(now)

    def _next_choice(self, now: int) -> None:
        self.setup.next()
        self._show_choice(now)

    def _accept_choice(self, now: int) -> None:
        if self.setup.accept():
            self._transition(now, "setup done")
        else:
            self._show_choice(now)

    def _show_choice(self, now: int) -> None:
        self._play(now, "choice")
        self._permit_light.show(self.setup.lamps())
        if self.setup.page == "volume":
            self._auction_flash.start(now, self.settings.program.slow_ms, None)
        else:
            self._auction_flash.steady(self.setup.page == "length")

    # Auctions.

    def _start_auction(self, now: int) -> None:
        program = self.settings.program
        shortest, longest = program.auction_ms
        length = self._asked_length or shortest
        self._auction_length = length
        if not self._asked_length and longest > shortest:
            length += self._below(longest - shortest + 1)
            self._auction_length = 0  # secret
        self._auction_ends = add(now, length)
        self._auction_timer.what = "auction ended"
        self._auction_timer.due = self._auction_ends
        if 0 < program.warning_ms < length:
            self._auction_timer.what = "auction warns"
            self._auction_timer.due = add(self._auction_ends, -program.warning_ms)
        self._permit_light.show(0)
        self._auction_flash.start(now, program.slow_ms, self._auction_ends)
        self._announce(now, "auction-started", self._auction_length or None)

    def _warn(self, now: int) -> None:
        self._auction_timer.what = "auction ended"
        self._auction_timer.due = self._auction_ends
        self._auction_flash.start(now, self.settings.program.fast_ms, self._auction_ends)
        self._announce(now, "auction-warning", diff(self._auction_ends, now))

    def _end_auction(self, now: int) -> None:
        self._clear_auction()
        self._announce(now, "auction-ended")
        self._end_game_if_postponed(now)

    def _arm_cancel(self, now: int) -> None:
        """Start the hold that cancels the auction, from the first edge of the press."""
        self._cancel_timer.due = add(
            self._auction_button.since, self.settings.program.cancel_hold_ms
        )

    def _cancel_auction(self, now: int) -> None:
        self._clear_auction()
        self._announce(now, "auction-cancelled")
        self._end_game_if_postponed(now)

    def _clear_auction(self) -> None:
        self._auction_timer.due = None
        self._cancel_timer.due = None
        self._auction_flash.steady(False)

    # Permits.

    def _draw_permit(self, now: int) -> None:
        program = self.settings.program
        permit = weighted(self._below, program.odds)
        self._permit_light.run(now, permit, program.permit_hops_ms, program.permit_shown_ms)
        self._announce(now, "permit-started")

    def _grant_permit(self, now: int) -> None:
        permit = PERMITS[self._permit_light.permit]
        self.events.add(now, "permit-granted", permit)
        self._play(now, "permit-" + permit)
        self._end_game_if_postponed(now)

    # The game's clock.

    def _postpone_end(self, now: int) -> None:
        self.is_end_postponed = True

    def _end_game_if_postponed(self, now: int) -> None:
        if self.is_end_postponed:
            self._transition(now, "clock ended")

    def _end_game(self, now: int) -> None:
        self.is_end_postponed = False
        self._announce(now, self.clock.kind)
