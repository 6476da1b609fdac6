"""The states of the unit and their transitions.

An input with a row in the current state moves the unit to the row's state and calls the row's
method of `Unit`. An input without a row is refused: nothing changes, and unless the unit is off, an
event reports the refusal with the state as the reason.

`Unit` makes four exceptions. BUILD is refused if the program has no permits; the reason is then
`no-permits`. Switching on with BUILD held is the input "set up". Two inputs have no rows since they
act alike in every state: releasing AUCTION stops the hold that cancels an auction, and a mark of
the clock sounds. If both buttons are pressed at once, the press of AUCTION is applied first.

The two buttons, the warning and the end of an auction, and the hour are from the Monopoly City
rulebook. The refusals, the hold that cancels, the delay of the game's end until an auction or a
permit is over, and the setup are assumptions.
"""

from .ticks import const


def goes(state: str, action: str) -> tuple[str, str]:
    """Return a row; in a compiled file a call takes half the space of a tuple."""
    return (state, action)


# Rows of several states, as constants, which a board stores once.
_SLEEP = const(("off", "_sleep"))
_WAKE = const(("ready", "_wake"))

# state: {input: goes(next state, method of Unit)}
TRANSITIONS = {
    "off": {
        "switch on": _WAKE,
        "set up": goes("setup", "_set_up"),
    },
    "setup": {
        "switch off": _SLEEP,
        "press auction": goes("setup", "_take_choice"),
        "press build": goes("setup", "_next_choice"),
        "setup done": _WAKE,
        "restart": _WAKE,
    },
    "ready": {
        "switch off": _SLEEP,
        "press auction": goes("auction", "_start"),
        "start auction": goes("auction", "_start"),
        "press build": goes("drawing", "_draw"),
        "clock ended": goes("over", "_end_game"),
        "restart": _WAKE,
    },
    "auction": {
        "switch off": _SLEEP,
        "press auction": goes("auction", "_arm"),
        "stop auction": goes("ready", "_cancel"),
        "auction warns": goes("warning", "_warn"),
        "auction ended": goes("ready", "_end"),
        "clock ended": goes("auction", "_postpone"),
    },
    "warning": {
        "switch off": _SLEEP,
        "press auction": goes("warning", "_arm"),
        "stop auction": goes("ready", "_cancel"),
        "auction ended": goes("ready", "_end"),
        "clock ended": goes("warning", "_postpone"),
    },
    "drawing": {
        "switch off": _SLEEP,
        "light stopped": goes("ready", "_grant"),
        "clock ended": goes("drawing", "_postpone"),
    },
    "over": {
        "switch off": _SLEEP,
        "restart": _WAKE,
    },
}
