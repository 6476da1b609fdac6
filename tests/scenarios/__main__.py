"""Write the expected trace of each scenario anew."""

from tests.scenarios import NAMES, record

for name in NAMES:
    record(name)
print(f"{len(NAMES)} traces written: read `git diff` before you commit them")
