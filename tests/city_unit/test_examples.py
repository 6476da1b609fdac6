"""The examples in docs/examples, in several languages, watch a served unit."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.city_unit.served import PATIENCE_S, Doored, in_a_loop
from tests.helpers.needs import needs, needs_modules

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
SCENE = """\
[gd_scene load_steps=2 format=2]
[ext_resource path="res://watch.gd" type="Script" id=1]
[node name="Watch" type="Node"]
script = ExtResource( 1 )
address = "{address}"
"""
PROJECT = """\
config_version=4
[application]
config/name="watch"
run/main_scene="res://main.tscn"
"""


def python(_folder, address):
    return [sys.executable, str(EXAMPLES / "watch.py"), address]


def javascript(_folder, address):
    needs(shutil.which("node"), "Node")
    return ["node", "--experimental-websocket", str(EXAMPLES / "watch.mjs"), address]


def csharp(folder, address):
    needs(shutil.which("mcs"), "Mono's compiler for C#")
    program = folder / "Watch.exe"
    source = str(EXAMPLES / "Watch.cs")
    compiler = ["mcs", "-warnaserror", "-r:System.dll", f"-out:{program}", source]
    subprocess.run(compiler, check=True, timeout=PATIENCE_S)
    return ["mono", str(program), address]


def godot(folder, address):
    needs(shutil.which("godot3-server"), "Godot 3")
    (folder / "project.godot").write_text(PROJECT)
    (folder / "main.tscn").write_text(SCENE.format(address=address))
    shutil.copy(EXAMPLES / "watch_godot3.gd", folder / "watch.gd")
    return ["godot3-server", "--path", str(folder)]


@pytest.mark.real_time
@pytest.mark.parametrize("example", [python, javascript, csharp, godot])
@in_a_loop
async def test_the_example_prints_the_events(example, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))

    async with Doored() as doored:
        command = example(tmp_path, doored.address)
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        try:
            while not any(peer.session for peer in doored.shared.hub.peers):
                await asyncio.sleep(0.01)
            await doored.unit.start_auction(1000)
            doored.served.advance(1001)
            lines = []
            async for line in process.stdout:
                lines.append(line.decode().strip())
                if lines[-1].endswith("auction-ended"):
                    break
            assert lines[-2:] == ["0 auction-started 1000", "1000 auction-ended"]
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


def test_the_example_for_godot_4_is_correct():
    """Debian has no Godot 4, so the script is only parsed."""
    needs_modules("gdtoolkit")
    from gdtoolkit.parser import parser

    parser.parse((EXAMPLES / "watch.gd").read_text(encoding="utf-8"))
