"""Contradictory options of `play` and `serve` are refused before anything begins."""

import pytest

from city_unit.host.lines.discovery import EMULATED, Found
from sim import cli

HEADLESS = ("play", "--headless", "--listen", "127.0.0.1:0")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ([*HEADLESS, "--journal", "none/a.j"], 1, "no such file or directory"),
        ([*HEADLESS, "--record", "none/a.jsonl"], 1, "cannot write none/a.jsonl: "),
        ([*HEADLESS, "--terminal"], 2, "--headless has no terminal"),
        (["play", "--headless"], 2, "--headless needs --listen"),
        (["play", "--headless", "--listen", "nowhere"], 2, "HOST:PORT"),
        ([*HEADLESS, "--name", "two words"], 2, "two words"),
        (["send", "--port", "socket://127.0.0.1:1", "stop"], 1, "nobody listens there"),
        (["send", "--port", "/dev/no-such-port", "stop"], 1, "/dev/no-such-port"),
        (["monitor", "--port", "auto:nobody"], 1, "nobody"),
        (["serve", "--origin", "nix"], 2, "nix is not of the form https://HOST"),
        (["serve", "--origin", "https://a.org/page"], 2, "without a path"),
        (["send", "state", "--port", "127.0.0.1:1"], 1, "write socket://127.0.0.1:1"),
    ],
)
def test_it_is_one_line_and_nothing_is_made(words, code, why, folder, capsys):
    try:
        ended = cli.main(words)
    except SystemExit as refused:  # as argparse ends
        ended = refused.code
    said = capsys.readouterr()
    assert (ended, said.out) == (code, "")
    assert why in said.err.splitlines()[-1]
    assert not (folder / "none").exists()


def test_a_unit_is_served_once(monkeypatch, capsys):
    unit = Found("socket://127.0.0.1:1", "red", EMULATED)
    monkeypatch.setattr("city_unit.host.lines.discovery.find", lambda: [unit])
    assert cli.main(["serve", "auto:red", "auto:red"]) == 2
    assert "auto:red is socket://127.0.0.1:1, which was given already" in capsys.readouterr().err
