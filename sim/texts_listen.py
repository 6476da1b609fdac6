"""What listening says to people."""

NEEDS_LISTEN = "listening needs numpy, scipy and soundfile: {install}"

# Recordings.
NO_SOUND_FILE = "{path}: this is no sound file that can be read; WAV, FLAC, OGG and MP3 can"
NO_SOUND = "{path}: there is no sound in this file"
STRANGE_RATE = "{path}: {rate} samples a second; 4000 to 384000 can be listened to"
SLOW_RATE = (
    "{path}: {rate} samples a second hold no pitch above {hz} Hz; higher beeps are not in it"
)
CUT_SHORT = "{path}: this file is cut short: its head tells of more sound than it holds"

# A microphone.
HELP_MICROPHONE = (
    "listen to a microphone: the usual one, or the one whose name has NAME in it; Ctrl-C ends the "
    "recording, then it is listened to"
)
HELP_SECONDS = "how long to record, at most 43200 (12 h, which is the most in any case)"
HELP_KEEP = "keep what the microphone recorded"
ONE_SOURCE = "say what to listen to: a RECORDING, or --microphone"
BOTH_SOURCES = (
    "listen to a recording or to a microphone, not to both: leave {recording} or --microphone out"
)
NO_MICROPHONE_BUT_A_FILE = (
    "{name} is a file; leave --microphone out to listen to it, or use --keep to record into a file"
)
ONLY_MICROPHONE = "{option} is for --microphone"
STRANGE_KEEP = "{path}: the recording is kept as a .wav"
STRANGE_SECONDS = "--seconds {seconds:g}: a recording lasts more than 0 and at most 43200 s"
NEEDS_PYGAME = "a microphone needs pygame-ce: {install}"
NO_MICROPHONE = "there is no microphone here: {why}"
NONE_LISTED = "the system lists none"
NO_SUCH_MICROPHONE = 'no microphone has "{name}" in its name; there is: {names}'
DEAF_MICROPHONE = "the microphone {name} sends nothing; another one, or other rights?"
NOTHING_BUT_ZEROS = "the microphone {name} sent nothing but silence; is it muted, or not allowed?"
RECORDING = "recording {seconds:.0f} s  {meter}  {level:.0f} dB  (Ctrl-C ends it)"
THE_MICROPHONE = "the microphone {name}"
KEPT = "kept {path}"

# What was heard.
HEARD = "{count} beeps in {seconds:.1f} s of {path}"
ONE_HEARD = "1 beep in {seconds:.1f} s of {path}"
HEARD_HEAD = "     onset    length    pitch     level"
HEARD_LINE = "{onset:>10}  {length:7.1f} ms  {hz:6.0f} Hz  {level:6.1f} dB"
HELP_JSON = (
    "one JSON object a beep: onset_ms, length_ms, hz, level_db, and is_measured, which is false "
    "where noise hides an edge and the times are those of a known cue"
)
PATTERN_MARK = "  ~"
PATTERN = "~ noise hides an edge: the cue tells these times, laid where it fits best"
MOST_HIDDEN = (
    "most edges are hidden here, by noise or a room's echo: a recording made nearer to the unit "
    "tells more"
)
READING = "reading: {percent} %"
LISTENING = "listening: {percent} %"

# Learned.
HELP_LEARN = (
    "write a program file with the cadence that was heard, for --program; what was not heard is "
    "taken from --program, or from city"
)
HELP_FORCE = "--learn and --keep write over a file that is there"
EXISTS = "{path} is there already; another name, or --force to write over it"
STRANGE_PROGRAM = "{path}: a program is written as a .toml"
NOTHING_LEARNED = "nothing was learned: no beep is surely a cue of {name}; try another --program"
LEARNED = "wrote {path}, with what was heard: {what}"
USED = "{used} of {all} beeps were used"
NOT_RECOGNISED = "; like no cue: at {times}"
BY_PLACE = "; told by when they came, for they sound otherwise: {cues}"
UNSURE = "; not learned, an auction's press or another's: at {times}"
UNSURE_CUES = "; not learned, presses that may be an auction's or another's: {count}"
LEARNED_FROM = "learned from {path}"
AT_ONE_PITCH = "{rest}, at the one pitch heard, {hz:.0f} Hz"
LEARNED_CUES = "{source}: {cues}; the others: {rest}"

# Compared with a program.
CUES_NONE = "none of the cues of {name} was recognised"
CUES_SUM = "{known} of {all} beeps belong to {cues} cues of {name}"
CUE_UNSURE = " or another press"
CUE_LATE = "  {late:+.1f} ms against {expected:g} s after {since}"

# The benchmark.
HELP_LONG = "listen: eight recordings of five minutes for each point, not two"
HELP_CURVE = "listen: draw the curve over the loudness of the noise: NAME.svg or NAME.png"
NEEDS_VOICES = "the voices of this benchmark come from espeak-ng: install it first"
STRANGE_PICTURE = "{path}: a picture is written as .svg or .png"
BENCH = "listening in noise: {done} of {count} recordings"
CURVE = "Beeps found beside talk and dice"
CURVE_FIGURES = (
    "{beeps} beeps of whole games, in {minutes:g} minutes of noise for each point; "
    "0 dB: beeps as loud as the noise; false beeps in the noise alone: {alone}"
)
CURVE_ALL = "all beeps"
CURVE_LOW = '"refused", 440 Hz'
CURVE_FALSE = "false beeps in ten minutes:"
CURVE_WANTED = "dashed: what is wanted at 0 dB, 95 %"
