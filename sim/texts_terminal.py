"""What a person reads in the terminal."""

TITLE = "City Unit in the terminal"
AUCTION = "AUCTION"
BUILD = "BUILD"
PERMITS = ("1", "2", "3", "station")
HELD = "{} held"
ON = "on"
OFF = "off"
SWITCH = "switch"

STATES = {
    "off": "off: o switches it on",
    "ready": "ready",
    "auction": "auction",
    "warning": "auction, the last seconds",
    "drawing": "the light runs",
}
AUCTION_LEFT = "{} left"
CLOCK_LEFT = "{} to go"
REAL_TIME = "real time"
NOT_REAL_TIME = "NOT REAL TIME: {}x"
PAUSED = "NOT REAL TIME: paused"
VOLUME = "volume {} of 3"
MUTED = "muted"
SILENT = "silent"
TONE = "sounds {} Hz"
LAST = "last"
NEXT = "next"

CUES = {
    "switched-on": "switched on: {}",
    "switched-off": "switched off",
    "auction-started": "auction started",
    "auction-warning": "auction warns",
    "auction-ended": "auction ended",
    "auction-cancelled": "auction cancelled",
    "permit-started": "the light runs",
    "permit-granted": "permit: {}",
    "hour-beep": "the clock beeps",
    "hour-ended": "the hour is over",
    "phase-started": "phase: {}",
    "last-round": "last round",
    "time-called": "time is called",
    "refused": "",  # in the words of the window
}

HINT = "a AUCTION   b BUILD   o on/off   p pause   ? all keys   q quit"
SHORT_HINT = "a AUCTION  b BUILD  o on/off  ? keys"
TOO_SMALL = "{}x{} is small, {}x{} shows everything"
KEYS = (
    ("a, Space", "tap AUCTION"),
    ("b, Return", "tap BUILD"),
    ("A, B", "keep it down till its next press"),
    ("o", "the switch, on and off"),
    ("p", "pause, go on"),
    ("n", "step to the next change"),
    ("+ - 0", "faster, slower, real time"),
    ("Up, Down, m", "volume, mute"),
    ("c", "the next program"),
    ("h, ?, F1", "these keys; Esc closes"),
    ("q, Ctrl-C", "quit (Ctrl-C: unasked)"),
)
NO_TERMINAL = (
    "this is no terminal to play in; run it in one, or use `city-unit trace FILE` "
    "or `city-unit play --headless`"
)
