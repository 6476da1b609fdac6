"""Every state of the unit, and the transition of each input in it.

Two rules. An input with a row in the present state leads to the row's state, and the
unit calls the row's method. An input without a row changes nothing: the unit refuses it,
with the state as the reason, and reports the refusal by an event, unless it is off.

`Unit` makes four exceptions. BUILD is refused where the program has no permits. A switch-on
with BUILD held is the input "set up". Two inputs have no rows, because they do the same in
every state: the release of AUCTION ends the hold that cancels, and a mark of the clock
sounds. Both buttons at once are AUCTION, then BUILD.

From the Monopoly City rulebook: the two buttons, the auction's warning and its
end, the hour. Every refusal, the hold that cancels, the end of the game that
waits for an auction or a permit, and the setup are assumptions.
"""

from .ticks import const


def goes(state: str, action: str) -> tuple[str, str]:
    """Return a row; a call is half as long as a tuple in a compiled file."""
    return (state, action)


# Rows of most states; constants, which a board keeps once.
_SLEEP = const(("off", "_sleep"))
_WAKE = const(("ready", "_wake"))

# state: {what happens: goes(the state it leads to, the method of Unit that does it)}
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
