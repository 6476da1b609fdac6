"""The shells complete the words of the real programs, by the scripts that shtab makes of them."""

import os
import shutil
import subprocess

import pytest

from city_game import cli as game
from city_unit.desktop.completion import SHELLS
from sim import cli
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S


def script(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["city-unit", "tr"], {"trace"}),
        (["city-unit", "play", "--hea"], {"--headless"}),
        (["city-unit", "program", "sh"], {"show"}),
        (["city-unit", "completion", ""], set(SHELLS)),
    ],
)
def test_bash_completes(words, offered, capsys, tmp_path):
    needs(shutil.which("bash") and os.name == "posix", "bash")
    line = " ".join(f"'{word}'" for word in words)
    code = f"{script('bash', capsys)}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}\n"
    code += "_shtab_city_unit city-unit \"${COMP_WORDS[COMP_CWORD]}\" ''\n"
    code += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path
    )
    assert (done.stderr, set(done.stdout.split())) == ("", offered)


def test_fish_completes(capsys, tmp_path):
    needs(shutil.which("fish"), "fish")
    (tmp_path / "it.fish").write_text(script("fish", capsys))
    code = f"source {tmp_path}/it.fish; complete -C 'city-unit play --headl'"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        ["fish", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, env=environment
    )
    assert done.stderr == ""
    assert "--headless" in done.stdout


def test_each_program_has_a_script_for_each_shell(capsys):
    for main, word in ((cli.main, "trace"), (game.main, "simulate")):
        for shell in SHELLS:
            assert main(["completion", shell]) == 0
            assert word in capsys.readouterr().out
