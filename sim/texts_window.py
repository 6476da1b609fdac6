"""What a person reads in the window, and around it."""

AUCTION_LABEL = "AUCTION"
BUILD_LABEL = "BUILD"
TITLE = "City Unit"

# The tools at the top.
HELP_LABEL = "?"
SLOWER_LABEL = "-"
FASTER_LABEL = "+"
PAUSED_LABEL = "paused"
NOTHING_LEFT = "0:00"

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

# The live trace.
LANES = {
    "auction": "auction",
    "permit-1": "1",
    "permit-2": "2",
    "permit-3": "3",
    "permit-station": "station",
    "tone": "sound",
}
AGO = "-{} s"
PITCH = "{} Hz"

# The panels.
HELP_TITLE = "Keys"
KEYS = (
    ("A, Space", "AUCTION (hold it 2 s to cancel)"),
    ("B, Return", "BUILD"),
    ("Shift+A, Shift+B", "keep it down until its next press; right click too"),
    ("O", "the slide switch, on and off"),
    ("P", "pause, go on"),
    ("N", "step to the next change"),
    ("+  -  0", "faster, slower, real time"),
    ("Up, Down, M", "volume, mute"),
    ("C", "choose the program (arrows, Return)"),
    ("T", "the last ten seconds lamp by lamp, or the time line; a click on it too"),
    ("F, F11", "full screen"),
    ("H, ?, F1", "this help; Esc closes it"),
    ("Q, Ctrl+Q", "quit (Ctrl+Q: without a question)"),
)
PROGRAM_TITLE = "Program"

# On standard error.
NO_SOUND = "city-unit: no sound device ({}); the unit goes on in silence"
NO_SCREEN = "there is no screen"
NO_DISPLAY = "city-unit: no display ({}); the unit goes on in the terminal"
PREFERENCES_WARNING = "city-unit: settings {}: {}"
UNSAVED_PREFERENCES = "city-unit: settings {} not kept: {}"
HEADLESS_ALONE = "--headless needs --listen HOST:PORT or --pty PATH, or nobody can reach the unit"

# The command's help.
HELP_PROGRAM = "a program, or a program file (default: the one of the last time)"
HELP_SEED = "repeat the draws of permits (default: drawn anew)"
HELP_TERMINAL = "play in the terminal even where there is a display"
HELP_HEADLESS = "no window: the unit is reached by --listen or --pty alone"
HELP_UNTIL_EOF = "without a window: end when standard input is closed, as by a program that ends"

# The settings file.
HELP_SETTINGS = (
    "Program, volume and window size are remembered in {} (CITY_UNIT_SETTINGS: elsewhere)."
)
BROKEN = "this is no settings file{}; all settings are as at first"
BROKEN_LINE = " (line {})"
UNREADABLE = "not readable, {}; all settings are as at first"
BAD_VALUE = "{} must be {}"
MUST_BE_TEXT = "a name in quotes"
MUST_BE_LENGTH = "a length in ms, or -1"
MUST_BE_VOLUME = "0, 1, 2 or 3"
MUST_BE_TRUTH = "true or false"
MUST_BE_SIZE = "a whole number of points"
NOT_PERMITTED = "you have no permission for it"
A_FOLDER = "it is a folder"
NO_FOLDER = "a file stands where its folder should be"
WINDOW_WARNING = "Settings: {}"
