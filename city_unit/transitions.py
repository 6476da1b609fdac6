"""Every state of the unit, and what each thing that happens in it leads to.

Two rules. What happens in a state leads to the state beside it, and the unit
does the one thing named. What has no row in a state is refused there, the state
being the reason, and changes nothing. Both buttons at once are AUCTION, then
BUILD. Not in the table, because they are the same in every state: the release
of a button ends a hold; a mark of the clock sounds.

From the Monopoly City rulebook: the two buttons, the auction's warning and its
end, the hour. Every refusal, the hold that cancels, the end of the game that
waits for an auction or a permit, and the setup are assumptions.
"""


def goes(state: str, action: str) -> tuple[str, str]:
    """Return a row; a call is half as long as a tuple in a compiled file."""
    return (state, action)


# state: {what happens: goes(the state it leads to, the method of Unit that does it)}
TRANSITIONS = {
    "off": {
        "switch on": goes("ready", "_wake"),
        "switch on, build held": goes("setup", "_open_setup"),
        "press auction": goes("off", "_ignore"),
        "press build": goes("off", "_ignore"),
        "choose program": goes("off", "_choose"),
    },
    "setup": {
        "switch off": goes("off", "_sleep"),
        "press auction": goes("setup", "_take_choice"),
        "press build": goes("setup", "_next_choice"),
        "setup done": goes("ready", "_wake"),
        "choose program": goes("ready", "_choose_and_wake"),
    },
    "ready": {
        "switch off": goes("off", "_sleep"),
        "press auction": goes("auction", "_start_auction"),
        "start auction": goes("auction", "_start_auction"),
        "press build": goes("drawing", "_draw_permit"),
        "clock ended": goes("over", "_end_game"),
        "choose program": goes("ready", "_choose_and_wake"),
    },
    "auction": {
        "switch off": goes("off", "_sleep"),
        "press auction": goes("auction", "_begin_hold"),
        "stop auction": goes("ready", "_cancel_auction"),
        "auction warns": goes("warning", "_warn"),
        "auction ended": goes("ready", "_end_auction"),
        "clock ended": goes("auction", "_postpone_end"),
    },
    "warning": {
        "switch off": goes("off", "_sleep"),
        "press auction": goes("warning", "_begin_hold"),
        "stop auction": goes("ready", "_cancel_auction"),
        "auction ended": goes("ready", "_end_auction"),
        "clock ended": goes("warning", "_postpone_end"),
    },
    "drawing": {
        "switch off": goes("off", "_sleep"),
        "light stopped": goes("ready", "_grant_permit"),
        "clock ended": goes("drawing", "_postpone_end"),
    },
    "over": {
        "switch off": goes("off", "_sleep"),
        "choose program": goes("ready", "_choose_and_wake"),
    },
}
