"""What the commands of the link say to people."""

OPEN = "The unit listens at %s"
NOT_LOOPBACK = (
    "Warning: at %s anybody on your network can press the unit's buttons; "
    "127.0.0.1 is for this computer only."
)
BAD_ADDRESS = "--listen %s is not of the form HOST:PORT, as in 127.0.0.1:7007 (port 0: a free one)"
CANNOT_LISTEN = "cannot listen at %s:%d: %s; choose another port, or 0 for a free one"
CANNOT_LINK = "cannot make the pty %s: %s; choose another path"
NO_PTY = "--pty needs Linux or macOS; use --listen 127.0.0.1:0 here"
BAD_NAME = "--name %r is not of 1 to 16 letters, digits and hyphens"

NOT_ANNOUNCED = "Warning: other programs will not find the unit by themselves: %s"

HELP_LISTEN = "let programs reach the unit by TCP; 127.0.0.1:0 takes a free port"
HELP_PTY = "let programs reach the unit by a serial port of this name (Linux, macOS)"
HELP_NAME = "what the unit is called where several can be reached"
HELP_RECORD = "with --headless: add what the unit does to this file, a line of JSON a change"
CANNOT_RECORD = "cannot write %s: %s"
HELP_PORT = "a serial port, socket://HOST:PORT, auto, or auto:NAME (default: auto)"
HELP_JSON = "one JSON object a line"
HELP_EDGES = "show as well each change of a lamp and of the tone, and how late it came"
HELP_EVENTS = "stop after so many events"
HELP_HISTORY = "begin with what the unit still remembers"
HELP_COMMAND = "what to do; `city-unit send help` lists what can be said"
HELP_TIMEOUT = "seconds to wait for an answer (default: 2)"

NO_UNITS = "No unit can be reached. Start one with: city-unit play --listen 127.0.0.1:0"
SILENT = "does not answer"
IN_USE = "%s  %s, in use: another program has it"
UNIT = "%s  %s, %s, program %s, %s"
CONNECTED = "Connected to %s (%s) at %s: program %s, %s."
DISCONNECTED = "The unit is gone: %s. Waiting for it."
RESTARTED = "The unit was started anew."
MISSED = "%d events were lost: the unit no longer keeps them."
EVENT = "%10.3f s  %s%s"
EDGE = "%10.3f s  %-24s%.1f ms late"
LAMP_ON = "lamp %s on"
LAMP_OFF = "lamp %s off"
TONE = "tone %d Hz"
SILENCE = "tone off"
DONE = "done"
SEE_HELP = "%s; `city-unit send help` lists what can be said"
COMMANDS = """\
tap auction|build          press a button for 80 ms
press, release auction|build
hold auction|build MS      press a button for so long
switch on|off|free         hold the switch, or let go of it
start [MS]                 start an auction, as long as the program has it or MS
stop                       cancel the auction
program NAME [CLOCK_MS]    begin a game with another program
restart                    begin another game
volume 0|1|2|3
identify                   blink and beep, to see which unit this is
show LAMPS HZ MS           light lamps (a sum of 1, 2, 4, 8, 16) and sound a tone, for a test
state                      what it does now, what is left, what it shows
counters                   of received, ignored and dropped lines
board                      of a board: its pins, time awake, memory, supply, log of crashes"""
