"""The project's checks: style, types and tests.

    python3 start.py test         all but the slow tests
    python3 start.py test --all   the slow tests too
    python3 start.py test PATH    the tests of a file or a folder; options of pytest may follow

The exit code is 0 if all tests pass. Style and types are tests too (tests/types).
"""

import os
import sys
from pathlib import Path

# Twice as many workers as processors, since some tests wait for programs. Work stealing keeps a
# worker busy while another runs a long file.
WORKERS = (f"-n={2 * (os.cpu_count() or 1)}", "--dist=worksteal")
RUNS = {
    (): [("-m=not slow", *WORKERS)],
    ("--all",): [("-m=not alone", *WORKERS), ("-m=alone",)],
}
LEFT_OUT = (
    "start.py: left out: the tests marked slow, which take long or are one more of many cases;"
    " `start.py test --all` runs them too"
)


def main(*words: str) -> int:
    """Run the tests; return the first exit code of pytest that is not 0."""
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return 0
    # Without bytecode files, each worker and each started program would compile the same modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    import pytest  # here, since `--help` works without it

    if words not in RUNS:
        return pytest.main([*words])
    os.chdir(Path(__file__).parent.parent)
    codes = []
    for chosen in RUNS[words]:
        codes.append(pytest.main([*chosen]))
        if codes[-1] == pytest.ExitCode.INTERRUPTED:
            break
    if not words:
        print(LEFT_OUT, file=sys.stderr)
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
