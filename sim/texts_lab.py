"""What the timing lab says to people."""

NEEDS_PYGAME = "a PNG needs pygame-ce (an .svg does not): {install}"
NEEDS_VCD = "a VCD needs pyvcd: {install}"

# Exports.
NOTHING_TO_EXPORT = "say what to write: --vcd OUT, --wav OUT, --picture OUT.svg"
STRANGE_PICTURE = "{path}: a picture is written as .svg or .png"
WRITTEN = "wrote {path}"
ONLY_PICTURE = "{option} is for a --picture; sound and waveform are of the whole run"
NO_PART = "the picture would begin at {start} ms, which is not before its end at {end} ms"
BEYOND_THE_END = "{option} {time}: the run ends at {end} ms"

LONG_SOUND = "{path}: a WAV file holds {hours:.1f} h at most; end the scenario sooner"
WRITING = "writing the sound: {percent} %"

# A live unit that the lab takes.
HELP_FORCE = "take a live unit even from the middle of an auction"
IN_USE = "the unit at {port} is in the middle of {what}; wait until it is over, or say --force"
IN_THE_MIDDLE_OF = {
    "auction": "an auction",
    "warning": "an auction",
    "drawing": "a permit",
    "setup": "its setup",
}

# Captures.
HELP_BUSY = (
    "keep the unit and its line busy: 50 commands a second, permits and auctions in turn "
    "(not while people play)"
)
HISTOGRAM = "How late the edges of {port} were, in {seconds:.1f} s"
HISTOGRAM_FIGURES = (
    "{edges} edges: median {median_ms:.2f} ms, 99 of 100 within {p99_ms:.2f} ms, "
    "worst {worst_ms:.2f} ms"
)
LATER = "later than due, ms"
LIMIT = "limit {limit:g} ms"
CAPTURING = "capturing: {percent} %"
HELP_SECONDS = "how long (60); Ctrl-C ends it sooner, and prints what was measured until then"
NO_TIME = "--seconds {seconds:g}: how long is a number above 0"
NO_LIMIT = "--limit-ms {limit:g}: a limit is a number above 0"
NO_EDGES = "no lamp and no tone changed in {seconds:.1f} s; is the unit switched on, and used?"
LOST = "the unit was lost after {seconds:.1f} s"
LATENESS_HEAD = "edge, in {seconds:7.1f} s     count    median       p99     worst"
LATENESS_LINE = "{kind:<22} {edges:>6} {median_ms:6.2f} ms {p99_ms:6.2f} ms {worst_ms:6.2f} ms"
DRIFT = "drift {drift:+.1f} ± {off:.1f} ppm against this desktop's clock"
WITHIN = "pass: the worst edge was {worst:.2f} ms late, the limit is {limit:g} ms"
BEYOND = "FAIL: the worst edge was {worst:.2f} ms late, the limit is {limit:g} ms"
