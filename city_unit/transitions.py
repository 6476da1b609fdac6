"""The states of the unit and their transitions.

An input with a row in the current state moves the unit to the row's state and calls the row's
method of `Unit`. An input without a row is refused with the state as the reason, and the state
stays. A refused press adds an event, unless the unit is off; a refused command is answered.

`Unit` makes four exceptions:

- BUILD in `ready` is refused as `no-permits` if the program has none;
- switching on with BUILD held is the input "set up";
- releasing AUCTION stops the hold that cancels an auction, in every state;
- a mark of the clock sounds, in every state.

If both buttons are pressed at once, the press of AUCTION is applied first.

The two buttons, the warning and the end of an auction, and the hour are from the Monopoly City
rulebook. The refusals, the hold that cancels, the delay of the game's end until an auction or a
permit is over, and the setup are assumptions.
"""

from .ticks import const


def goes(state: str, action: str) -> tuple[str, str]:
    """Return a row; in a compiled file a call takes half the space of a tuple."""
    return (state, action)


# Rows of several states, as constants, which a board stores once.
_SWITCH_OFF = const(("off", "_switch_off"))
_START_GAME = const(("ready", "_start_game"))

# state: {input: goes(next state, method of Unit)}
TRANSITIONS = {
    "off": {
        "switch on": _START_GAME,
        "set up": goes("setup", "_open_setup"),
    },
    "setup": {
        "switch off": _SWITCH_OFF,
        "press auction": goes("setup", "_accept_choice"),
        "press build": goes("setup", "_next_choice"),
        "setup done": _START_GAME,
        "restart": _START_GAME,
    },
    "ready": {
        "switch off": _SWITCH_OFF,
        "press auction": goes("auction", "_start_auction"),
        "start auction": goes("auction", "_start_auction"),
        "press build": goes("drawing", "_draw_permit"),
        "clock ended": goes("over", "_end_game"),
        "restart": _START_GAME,
    },
    "auction": {
        "switch off": _SWITCH_OFF,
        "press auction": goes("auction", "_arm_cancel"),
        "stop auction": goes("ready", "_cancel_auction"),
        "auction warns": goes("warning", "_warn"),
        "auction ended": goes("ready", "_end_auction"),
        "clock ended": goes("auction", "_postpone_end"),
    },
    "warning": {
        "switch off": _SWITCH_OFF,
        "press auction": goes("warning", "_arm_cancel"),
        "stop auction": goes("ready", "_cancel_auction"),
        "auction ended": goes("ready", "_end_auction"),
        "clock ended": goes("warning", "_postpone_end"),
    },
    "drawing": {
        "switch off": _SWITCH_OFF,
        "light stopped": goes("ready", "_grant_permit"),
        "clock ended": goes("drawing", "_postpone_end"),
    },
    "over": {
        "switch off": _SWITCH_OFF,
        "restart": _START_GAME,
    },
}
