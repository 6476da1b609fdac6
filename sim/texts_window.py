"""What a person reads in the window, and around it."""

AUCTION_LABEL = "AUCTION"
BUILD_LABEL = "BUILD"
TITLE = "City Unit"

# The tools at the top.
HELP_LABEL = "?"
SLOWER_LABEL = "-"
FASTER_LABEL = "+"
PAUSED_LABEL = "paused"

# The notices under the tools.
NOT_REAL_TIME = "Not real time: {} x"
PAUSED = "Not real time: paused at {}"
NO_SOUND_MARK = "no sound device"
SWITCHED_OFF = "Off. O or a click on the slide switches it on; ? shows the keys."

# The time line.
NOW = "now"
CUES = {
    "switched-on": "on",
    "switched-off": "off",
    "auction-started": "auction",
    "auction-warning": "warning",
    "auction-ended": "sold",
    "auction-cancelled": "cancelled",
    "permit-started": "build",
    "permit-granted": "permit {}",
    "hour-beep": "beep",
    "hour-ended": "the hour",
    "phase-started": "phase {}",
    "last-round": "last round",
    "time-called": "time",
    "refused": "refused",
}

# The panels.
HELP_TITLE = "Keys"
KEYS = (
    ("A, Space", "AUCTION (hold it 2 s to cancel)"),
    ("B, Return", "BUILD"),
    ("Shift+A, Shift+B", "keep that button down; right click too"),
    ("O", "the slide switch, on and off"),
    ("P", "pause, go on"),
    ("N", "step to the next change"),
    ("+  -  0", "faster, slower, real time"),
    ("Up, Down, M", "volume, mute"),
    ("C", "choose the program"),
    ("F, F11", "full screen"),
    ("H, ?, F1, Esc", "this help"),
    ("Q", "quit"),
)
PROGRAM_TITLE = "Program"
PROGRAM_BUSY = "Program (after this)"
ABOUT_PROGRAM = {
    "city": "an hour, auctions of 50 s, permits",
    "championship": "5 + 45 min, auctions of 60 s",
    "timed": "an agreed time, auctions of 50 s",
    "world": "a light of 13 to 30 s, no clock",
}

# On standard error.
NO_SOUND = "city-unit: no sound device ({}); the unit goes on in silence"
NO_SCREEN = "there is no screen"
NO_DISPLAY = "city-unit: no display ({}); the unit goes on in the terminal"
BROKEN_PREFERENCES = "city-unit: {} cannot be read ({}); starting with the usual settings"
UNSAVED_PREFERENCES = "city-unit: the settings could not be kept: {}"
HEADLESS_ALONE = "--headless needs --listen HOST:PORT or --pty PATH, or nobody can reach the unit"

# The command's help.
HELP_PROGRAM = "a program, or a program file (default: the one of the last time)"
HELP_SEED = "repeat the draws of permits (default: drawn anew)"
HELP_TERMINAL = "play in the terminal even where there is a display"
HELP_HEADLESS = "no window: the unit is reached by --listen or --pty alone"
HELP_UNTIL_EOF = "without a window: end when standard input is closed, as by a program that ends"
