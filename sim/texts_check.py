"""What `city-unit check` says to people."""

PASSED = "pass  {path} (expectations: {count})"
FAILED = "FAIL  {path} (expectations: {failed} of {count} not met)"
EXPECTED = "  expected {what}"
HAPPENED = "  happened {what}"
CHECKED = "passed: {passed}, failed: {failed}, not checked: {rest}"
CODES = """\
The exit status is 0 if all is kept, 1 if an expectation is not met, 2 if a file has a
mistake, 3 if a scenario could not be checked: there is no such unit, it was lost, it
refused a step. Of several scenarios the highest counts, and all that can be are checked.
"""
HELP_ON = (
    "cpython (the core in virtual time, the default), micropython (the firmware, unchanged, in the "
    "real interpreter, in virtual time), or the port of a live unit, in real time: times are then "
    "the unit's own, and a start or a span without a tolerance is granted 20 ms for the way of the "
    "commands, while lengths and rates stay exact; its permits are its own"
)
LIVING = "{now:.0f} of {end:.0f} s"
LEFT_OUT = "left out: {what}"
KINDS = {  # of files that are left out: one, and several
    "program": ("1 program", "{count} programs"),
    "bare": ("1 scenario without expectations", "{count} scenarios without expectations"),
    "other": ("1 other file", "{count} other files"),
}
NO_SCENARIOS = "{path}: there is no scenario with [[expect]] blocks in this folder"

# Why a scenario could not be checked.
NOT_CHECKED = "{path}: not checked: {why}"
ONLY_CPYTHON = "{path}: loss and noise on the line are for --on cpython"
NO_MICROPYTHON = "this needs MicroPython's Unix port (for Linux and macOS): {install}"
NOT_BUILT_IN = (
    '{path}: the firmware has only the programs that are built in ({there}), not "{name}"; '
    "--on cpython has it"
)
NAMESAKE = (
    '{path}: this program file calls itself "{name}" as a built-in program does, which would run '
    "in its place; give it another name, or check it --on cpython"
)
FIRMWARE_FAILED = "{path}: the firmware ended: {why}"
NO_PROGRAM = (
    '{path}: the unit has no program "{name}"; every unit has {there}, and an emulated one takes '
    "another with `city-unit play --program FILE`"
)

# A live unit.
MISSPELT = '--on {name}: did you mean "{meant}"?'
NO_FAULTS = "{path}: a live unit has its own faults; left out: {faults}"
LATEST = "{path}: the latest edge was shown {late:.2f} ms after it was due"
