"""What a program's file says of itself."""

HEAD = """\
# A program of the unit. Change what you like and run it: city-unit --program FILE
# Leave out what you do not want to change; a clock and odds that are left out are none.
# Times need a unit (ms, s, min, h).
# In [brackets]: where the value comes from."""

MEANS = {
    "auction": "how long; two times: drawn between them, and secret",
    "clock": "length of the game; 0 s for none",
    "clock_choices": "what players may choose instead; the clock is one of them",
    "warning": "how long before its end an auction beeps; 0 s for never",
    "cancel_hold": "how long AUCTION is held to cancel",
    "slow_flash": "half a period of the lamp",
    "fast_flash": "the same, after the warning",
    "odds": "of the permits 1, 2, 3 and station; leave out for no permits",
    "permit_hops": "how long the running light stays on each lamp",
    "permit_shown": "how long the permit stays lit",
    "marks": "What the clock tells, in order of time, by what is left of the game.",
    "cues": (
        "The sounds. By rank a tick gives way to a beep, a beep to a signal, a signal to a moment; "
        "signals wait for their turn."
    ),
}
