"""city_unit.js, judged by the vectors of the protocol."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.city_unit.served import PATIENCE_S
from tests.helpers.link_vectors import VECTORS
from tests.helpers.needs import needs

JUDGE = Path(__file__).parent / "judge.mjs"


@pytest.mark.parametrize("line", ["direct", "serial"])
def test_the_client_of_pages_is_right_also_over_a_serial_port_of_the_browser(line):
    needs(shutil.which("node"), "Node")
    done = subprocess.run(
        ["node", str(JUDGE), line],
        input=json.dumps(VECTORS).encode("latin-1"),
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == b"city_unit.js is right\n", done.stderr.decode()
