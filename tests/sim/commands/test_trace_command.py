"""`city-unit trace` as a person or a program calls it."""

import io
import json
import subprocess
import sys

import pytest

from sim import cli
from tests.helpers.steps import steps
from tests.helpers.times import ENDED, WARNED

SCENARIO = steps(("0 s", "switch on"), ("1 s", "tap auction", 'bounce = "8 ms"'), ("1 min", "end"))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(SCENARIO)
    return str(path)


def trace(capsys, *words):
    code = cli.main(["trace", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_it_prints_json_in_order_of_time_and_nothing_else(capsys, file):
    code, out, err = trace(capsys, file)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [line["ms"] for line in lines] == sorted(line["ms"] for line in lines)
    assert lines[0] == {"ms": 0, "event": "switched-on", "program": "city"}
    assert {"ms": 1016, "lamp": "auction", "on": True} in lines
    assert {"ms": WARNED, "tone": 2700} in lines
    assert {"ms": ENDED, "lamp": "auction", "on": False} in lines


def test_a_program_and_a_seed_of_ones_own(capsys, file):
    _, out, _ = trace(capsys, file, "--program", "world", "--seed", "3")
    ended = [json.loads(line) for line in out.splitlines() if "auction-ended" in line]
    assert '"program": "world"' in out
    assert 13_000 <= ended[0]["ms"] - 1016 <= 30_000
    assert trace(capsys, file, "--program", "world", "--seed", "3")[1] == out
    assert trace(capsys, file, "--program", "world", "--seed", "4")[1] != out


def test_standard_input(capsys, file, monkeypatch):
    expected = trace(capsys, file, "--start-ms", str(10**30))  # which changes nothing
    assert expected == trace(capsys, file)
    stdin = io.TextIOWrapper(io.BytesIO(SCENARIO.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert trace(capsys, "-") == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no.toml"], "city-unit: no.toml: no such file or directory\n"),
        (["."], "city-unit: .: is a directory\n"),
        (["FILE", "--program", "tmed"], 'unknown program "tmed", did you mean "timed"?'),
        (["FILE", "--seed", "-1"], '"-1" is no whole number from 0 on'),
        (["FILE", "--seed", "７"], '"７" is no whole number from 0 on'),
        (["FILE", "--start-ms", "soon"], '"soon" is no whole number from 0 on'),
    ],
)
def test_mistakes(capsys, file, words, message):
    try:
        code, out, err = trace(capsys, *[file if word == "FILE" else word for word in words])
    except SystemExit as error:  # the option's parser ends the program itself
        code = error.code
        out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert message in err


def test_a_reader_that_goes_away_is_no_mistake(file):
    command = f'"{sys.executable}" -m sim.cli trace "{file}"'
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.system({command + ' | exit'!r})"],
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
