"""The page's files, its server and its command."""

import gzip
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from city_unit.desktop import catalogue, toml_reader
from city_unit.desktop.errors import UserError
from city_unit.programs import PROGRAMS
from sim import cli
from sim.engine import program_file, program_text
from sim.web import bundle
from tests.catalogue import read, said_in_pages
from tests.helpers.needs import needs
from tests.sim.engine.test_scenario import PROGRAM_MISTAKES
from tests.sim.web.conftest import served

ROOT = Path(__file__).parents[3]
LARGEST = 299_500  # bytes of the page with its first two languages, compressed; README: < 300 kB
LARGEST_LANGUAGE = 5800  # bytes that each language adds to it


def test_the_whole_page_is_small():
    page = bundle.unit_page()
    loaded = set(page) - {bundle.LICENCE}
    sizes = {name: len(gzip.compress(page[name], 9)) for name in loaded}
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size:8} {name}")
    print(f"{sum(sizes.values()):8} in all")
    assert sum(sizes.values()) == bundle.compressed_size()
    added = [
        sum(size for name, size in sizes.items() if name.startswith(f"{language}."))
        for language in bundle.languages()
        if language != "en"
    ]
    assert max(added) <= LARGEST_LANGUAGE
    assert sum(sizes.values()) <= LARGEST + LARGEST_LANGUAGE * max(0, len(added) - 2)


@pytest.mark.parametrize(
    ("package", "version", "licence", "names"),
    [
        (
            "@micropython/micropython-webassembly-pyscript",
            ("1.27.0", "MIT"),
            "",
            {"micropython.mjs": "micropython.mjs", "micropython.wasm": "micropython.wasm"},
        ),
        ("esptool-js", ("0.7.0", "Apache-2.0"), "LICENSE", {"esptool.js": "bundle.js"}),
    ],
)
def test_the_programs_of_others_are_those_of_their_packages(package, version, licence, names):
    found = ROOT / "tests/wasm/node_modules" / package
    needs(found.is_dir(), package)
    described = json.loads((found / "package.json").read_text())
    assert (described["version"], described["license"]) == version
    vendor = ROOT / "sim/web/vendor"
    for ours, theirs in names.items():
        assert (vendor / ours).read_bytes() == (found / theirs).read_bytes()
    if licence:
        assert (found / licence).read_text() in (vendor / "LICENSE-esptool.txt").read_text()


def test_the_service_worker_keeps_every_file_under_a_name_of_its_content(files):
    worker = files["worker.js"].decode()
    kept = json.loads(re.search(r"KEPT = (\[.*\])", worker)[1])
    page = set(bundle.unit_page())
    assert set(kept) == {"./"} | page - {"index.html", "worker.js", bundle.LICENCE}
    assert bundle.files()["worker.js"] == files["worker.js"]
    one, other = (bundle.unit_page(bundle.Home("https://a.example/<b>", at)) for at in ("/a", "/b"))
    assert one.keys() == other.keys() and one["worker.js"] != other["worker.js"]
    assert b"https://a.example/&lt;b&gt;" in one["index.html"]
    assert b"ADDRESS" not in files["index.html"] and "address.svg" not in files


@pytest.mark.slow
@pytest.mark.parametrize("room", ["sim/web", "city_game/phones"])
def test_the_types_of_the_scripts(room):
    tsc = ROOT / "tests/wasm/node_modules/.bin/tsc"
    needs(tsc.exists() and shutil.which("node"), "TypeScript")
    command = [str(tsc), "-p", str(ROOT / "tests" / room / "tsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


# Texts.


@pytest.mark.parametrize("page", ["page", "hear", "board"])
def test_a_language_of_a_page_has_its_texts_and_no_others(files, page):
    here = {text for path, text in said_in_pages() if path.parent.name == page}
    here |= set() if page == "hear" else {*bundle.disc.LABELS, *bundle.LAMPS.values()}
    everything = {**files, **bundle.board_page({})}
    for language in catalogue.languages()[1:]:
        table = json.loads(everything[f"{'' if page == 'page' else page + '-'}{language}.json"])
        said = {}
        for message in read(language):
            texts = message.id if isinstance(message.id, tuple) else (message.id,)
            forms = message.string if isinstance(message.id, tuple) else (message.string,)
            if message.fuzzy:
                forms = ("",) * len(texts)  # a page does not show a guess
            if not message.context:
                said.update(zip(texts, forms, strict=False))
        known = {text for text in here if said[text] not in ("", text)}
        assert known <= set(table)
        assert known or language != "fr"  # a new language may lack every text of a page
        if page == "board" and said["this pin is input-only"]:
            assert "this pin is input-only" in table  # a text of the rules
        assert all(table[text] == said[text] for text in table if text in said)


def test_texts_are_found_in_template_literals_too(tmp_path):
    script = tmp_path / "page.js"
    script.write_text('tell(`${told} ${say("Wait.")}`, later("Now:\\n{x}"));', encoding="utf-8")
    assert bundle.texts_in(script) == ["Wait.", "Now:\n{x}"]


# Program files: the page reads them like the desktop.

GOOD = [
    *(program_text.write(program) for program in PROGRAMS),
    "name = 'b' # a comment\nauction = [ '1.5 s', # one\n '2 s', ]\nwarning = \"0 s\"\n",
    'name = "c"\n[cues.auction-ended]\nrank = "moment"\nplay = ["2000 Hz 75 ms"]\n',
    '\ufeffname = "d"\r\ncancel_hold = "1 s"\r\n',
    'name = "e"\nodds = [0, 0, 0, 1_000]\n',
    'name = "g"\ncues = { refused = { rank = "tick", play = ["0 Hz 1 ms"] } }\n',
    *(
        f'name = "{title}"\n'
        for title in (
            "Soirée",
            "вечер",
            "Straße 7",
            "日本",
            "İ",
            "Ein sehr langer Titel, den niemand liest",
        )
    ),
    'name = "h"\ntitle = "Spiel für Große"\n',
    'name = "f"\nclock = "0.5 h"\nmarks = [{ tell = "time-called", left = "0 s" }]\n',
]
BAD_TITLES = (" a", "a\\t", "!", "", "a" * 41, "\u00a0a", "a\u200bb", "\u3000")
BAD_SYNTAX = (
    'name = "a"\nname = "b"',
    "name = a",
    'name = ["a"',
    'name = = "a"',
    '[[name = "a"',
    'name = "a" "b"',
    'name = "a"\n[cues]\n[cues]',
    'wrong\nname = "a"',
)
BAD = (
    *BAD_SYNTAX,
    *(f'name = "{title}"' for title in BAD_TITLES),
    *(text for text, _message in PROGRAM_MISTAKES),
)


def on_the_desktop(text):
    """Return the values of a program file by name, or its error message."""
    try:
        program = program_file.read(toml_reader.parse(text.encode(), "mine.toml"))
    except UserError as error:
        return {"error": str(error)}
    names = [name for name, _ in program_file.VALUES.values()]
    values = {name: getattr(program, name) for name in ("name", "title", "marks", "cues", *names)}
    return json.loads(json.dumps(values))


READ = """
    import { readFileSync } from "node:fs";
    const load = (name) => JSON.parse(readFileSync(name, "utf8"));
    globalThis.fetch = async (name) => ({ json: () => load(name) });
    const { load: start, readProgram } = await import("./page/unit.js");
    const { python } = await start();
    const read = load("texts.json").map((text) => readProgram(python, text, "mine.toml"));
    process.stdout.write(JSON.stringify(read));
"""


def test_a_program_file_is_read_as_on_the_desktop(run, tmp_path, files):
    texts = [*GOOD, *BAD]
    (tmp_path / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    (tmp_path / "core.json").write_bytes(files["core.json"])
    for name in bundle.VENDORED[:2]:
        (tmp_path / "page" / name).write_bytes(files[name])
    read = run(READ)
    wanted = [on_the_desktop(text) for text in texts]
    assert ["error" in values for values in wanted] == [text in BAD for text in texts]
    for text, here, there in zip(texts, wanted, read, strict=True):
        if "error" in here and re.search("did you mean|a typo", here["error"] + there["error"]):
            continue  # the desktop suggests the nearest word, the page lists all or none
        assert there == here, text


# The server and the command.


def asked(server, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def test_the_server_gives_each_file_compressed_with_its_policy_and_nothing_else(files):
    with served(files) as server:
        answer, content = asked(server, "/micropython.wasm", **{"Accept-Encoding": "gzip, br"})
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "application/wasm"
        assert gzip.decompress(content) == files["micropython.wasm"]
        answer, content = asked(server, "/?installed")
        assert content == files["index.html"]
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe-inline" not in policy
        # No other site may embed the page.
        assert policy.endswith("; frame-ancestors 'none'")
        assert answer.headers["X-Frame-Options"] == "DENY"
        # So that a new version is seen at once.
        assert answer.headers["Cache-Control"] == "no-cache"
        for path in ("/../pyproject.toml", "/..%2f..", "//etc/passwd", "/nothing", "/page"):
            assert asked(server, path)[0].status == 404


@pytest.mark.slow
def test_the_folder_is_the_pages(tmp_path, files, capsys):
    for _former in range(2):
        assert cli.main(["web", "--folder", str(tmp_path / "dist")]) == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "dist").iterdir()}
    beside = set(json.loads(written["beside.json"]))
    page = {name: content for name, content in files.items() if name != "beside.json"}
    assert {name: written.get(name) for name in page} == page
    boards = {"board.html", "board.js", "board.css", "boards.json", "rules.json", *bundle.ESPTOOL}
    boards |= {f"board-{language}.json" for language in catalogue.languages()[1:]}
    firmware = {f"firmware-{chip}.json" for chip in json.loads(written["boards.json"])["chips"]}
    assert set(written) - set(files) == boards | firmware
    assert beside == {*bundle.hear_page(), *boards, *firmware}
    assert f"{len(written)} files" in capsys.readouterr().out


def test_a_folder_and_a_port_that_cannot_be_used_are_told(tmp_path, files, capsys):
    (tmp_path / "file").write_text("")
    with served(files) as server:
        for words, code, said in (
            (["--folder", str(tmp_path / "file" / "dist")], 1, "city-unit: "),
            (["--folder", str(tmp_path)], 2, f"{tmp_path} has other files"),
            (["--port", str(server.port), "--no-open"], 1, f"city-unit: port {server.port}: "),
            (["--port", "-1"], 2, '"-1" is not a port'),
            (["--port", "65536"], 2, '"65536" is not a port'),
            (["--port", "http"], 2, '"http" is not a port'),
        ):
            assert cli.main(["web", *words]) == code
            error = capsys.readouterr().err
            assert said in error and (code == 2 or error.count("\n") == 1)


def test_the_command_serves_where_it_says():
    command = [sys.executable, "-m", "sim.cli", "web", "--port", "0", "--no-open", "--lan"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
    ) as program:
        try:
            line = program.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert b"<title>City Unit</title>" in answer.read()
            printed = [program.stdout.readline() for _ in range(12)]
            assert any("home network" in text for text in printed)
            assert any("█" in text or "▀" in text for text in printed)
        finally:
            program.terminate()
