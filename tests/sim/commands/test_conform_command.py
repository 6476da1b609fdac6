"""The cases that `city-unit conform` cannot judge, each in one line."""

import threading

import pytest

from city_unit import host
from sim import cli
from tests.helpers.emulated import Emulated
from tests.helpers.patience import PATIENCE_S


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--client", "'a"], "--client 'a: a quotation mark in it is not closed"),
        (["--client", "python"], "--client python: put {port} where the client takes"),
        (["--client", "/no/such {port}"], "there is no program /no/such that could be started"),
        (["socket://127.0.0.1:1", "--rounds", "0"], "0 is no number of rounds from 1 on"),
    ],
)
def test_what_cannot_be_judged_is_one_line(words, why, capsys):
    try:
        code = cli.main(["conform", *words])
    except SystemExit as ended:  # as argparse ends
        code = ended.code
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert why in said.err.splitlines()[-1]
    assert "Traceback" not in said.err


@pytest.mark.real_time
def test_a_unit_that_another_program_has_is_one_line(tmp_path, capsys):
    unit = Emulated(tmp_path, "--listen", "127.0.0.1:0")
    try:
        is_over = threading.Event()

        def hold():
            with host.connect(unit.port, timeout=PATIENCE_S) as client:
                held.set()
                while not is_over.is_set():
                    client.poll(0.1)

        held = threading.Event()
        program = threading.Thread(target=hold)
        program.start()
        assert held.wait(PATIENCE_S)
        assert cli.main(["conform", unit.port]) == 1
        is_over.set()
        program.join(PATIENCE_S)
    finally:
        unit.stop()
    said = capsys.readouterr()
    assert said.out == ""
    assert "another program has the unit" in said.err
    assert len(said.err.splitlines()) == 1
