"""Unusual, large, damaged and hostile captures are read exactly, or rejected in one sentence."""

import random
import tracemalloc
import zipfile
from array import array

import pytest
from vcd.reader import TokenKind, tokenize

from city_unit.desktop.errors import UserError
from sim.lab.instrument import capture_file
from sim.lab.instrument.digital import Line
from tests.helpers.needs import needs_modules

needs_modules("vcd", "numpy")

HEAD = '$timescale 1 us $end\n$var wire 1 ! a $end\n$var wire 1 " b $end\n$enddefinitions $end\n'


def variables(count):
    return "".join(f"$var wire 1 c{n} name{n} $end\n" for n in range(count))


def random_vcd(seed):
    """Return a VCD with changes before the first time, without effect, and of unknown lines."""
    chance = random.Random(seed)
    at = chance.randrange(100)
    rows = ["0!", "1!", "$comment 0! #7 $end", f'#{at}\n$dumpvars\n0!\n1"\n$end']
    for _ in range(400):
        at += chance.randrange(50)
        changes = [
            chance.choice("01xzhHlLuUwW-") + "!",
            chance.choice(['0"', '1"', 'b0 "', 'b01 "', "b1 !", "bx !", "r1.5 !", "1?", "b101 ?"]),
        ]
        rows.append(f"#{at} " + chance.choice([" ", "\n"]).join(changes[: chance.randrange(3)]))
    return HEAD + "\n".join([*rows, *[f"#{at + 5}.0"] * chance.randrange(2)])


def read_by_pyvcd(path):
    """Return both lines, the end, and whether it is after the last change."""
    ticks, first, has_end, found = 0, None, True, {"!": [], '"': []}
    with open(path, "rb") as file:
        for token in tokenize(file):
            if token.kind is TokenKind.CHANGE_TIME:
                ticks, has_end = token.data, True
                first = ticks if first is None else first
            elif token.kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR):
                has_end = False
                if token.data.id_code in found:
                    found[token.data.id_code].append((ticks, str(token.data.value) in "1hH"))
    lines = {}
    for name, changes in zip("ab", found.values(), strict=True):
        level = changes[0][1]
        lines[name] = Line(int(level), array("q"))
        for at, new in changes:
            if new != level:
                lines[name].turns.append(max(at - first, 0) * 1000)
            level = new
    return lines, (ticks - first) * 1000, has_end


@pytest.mark.parametrize("piece", [7, 1 << 20])
def test_a_vcd_is_read_as_pyvcd_reads_it(tmp_path, monkeypatch, piece):
    path = tmp_path / "a.vcd"
    monkeypatch.setattr(capture_file, "_PIECE", piece)
    for seed in range(6):
        path.write_text(random_vcd(seed))
        found = capture_file.load(str(path))
        assert (found.lines, found.end_ns, found.has_end) == read_by_pyvcd(path)


def session(samples, width=1, rate="1 MHz", parts=1):
    def write(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            probes = "".join(f"probe{n}=D{n}\n" for n in range(1, 4))
            about = f"capturefile=logic-1\nunitsize={width}\nsamplerate={rate}\n{probes}"
            file.writestr("metadata", f"[device 1]\n{about}")
            size = -(-len(samples) // parts)
            for n in range(parts):
                name = f"logic-1-{n + 1}" if parts > 1 else "logic-1"
                file.writestr(name, samples[n * size : (n + 1) * size])

    return write


@pytest.mark.parametrize(("width", "parts"), [(1, 1), (2, 3), (4, 1)])
def test_a_session_is_equal_with_and_without_numpy(tmp_path, monkeypatch, width, parts):
    chance = random.Random(width)
    samples = b"".join(
        chance.randrange(8).to_bytes(width, "little") * chance.randrange(1, 900) for _ in range(300)
    )
    path = tmp_path / "a.sr"
    session(samples, width, parts=parts)(path)
    monkeypatch.setattr(capture_file, "_SAMPLES", 1001)
    fast = capture_file.load(str(path))
    assert sum(len(line.turns) for line in fast.lines.values()) > 300
    monkeypatch.setattr(capture_file, "np", None)
    assert capture_file.load(str(path)) == fast


TIMED = "Time [s],a,b,pitch_hz,events\n5.0,0,1,0,\n5.5,1,1,0,an event\n6.0,0,1,0,\n"
SAMPLED = "; Samplerate: 4 Hz\n; Channels (2/2): a, b\nlogic,logic\n0,1\n0,1\n1,1\n1,1\n0,1\n"
LINES = {"a": Line(0, array("q", [500_000_000, 1_000_000_000])), "b": Line(1, array("q"))}


@pytest.mark.parametrize(
    ("text", "end_ms", "has_end"),
    [
        (TIMED, 1000, False),
        (TIMED + "6.0,0,1,0,\n", 1000, True),
        (TIMED + "7,0,1,0,\n", 2000, True),
        (TIMED + "; a comment\n\n  \n# 9.0,1,1,0,\n", 1000, False),
        (TIMED.replace(",1,", ", 1 ,").replace("0,0,", "0,low,"), 1000, False),
        (TIMED.replace("5.5", '"5.5"').replace(",1,1", ',"1",1.0'), 1000, False),
        (TIMED.replace("[s]", "[ms]").replace(".0,", "000,").replace(".5,", "500,"), 1000, False),
        (TIMED.replace("\n", "\r\n"), 1000, False),
        (SAMPLED, 1250, True),
        (SAMPLED.replace("1,1\n1,1", "1,1\n; a comment\n\n1,1"), 1250, True),
    ],
)
def test_a_table_in_each_form(tmp_path, text, end_ms, has_end):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    found = capture_file.load(str(path))
    assert (found.end_ns, found.has_end) == (end_ms * 1_000_000, has_end)
    assert found.lines == LINES


NOISE = "is neither a time nor a value change"
REFUSED = {  # with a text from the error message
    "rate.sr": (session(b"\0\1", rate="0 Hz"), "its sample rate is missing or invalid"),
    "width.sr": (session(b"\0\1", width=1 << 40), "bytes wide"),
    "rate.huge.sr": (
        session(b"\0\1", rate="9" * 400 + " GHz"),
        "its sample rate is missing or invalid",
    ),
    "metadata.sr": (session(b"\0\1", rate="1 MHz\n" + "#" * 2**26 + "\nx"), ""),
    "head.sr": (session(b"\0\1", rate="1 MHz\n[device"), "not a complete sigrok session"),
    "empty.sr": (b"", "not a complete sigrok session"),
    "backwards.vcd": (HEAD + "#9\n0!\n#3\n1!\n", "its times go backwards"),
    "huge.vcd": (HEAD + f"#0\n0!\n#{2**62}\n1!\n", "longer than a hundred years"),
    "half.vcd": (f"{HEAD}#0\n0!\n1\n#9\n1!\n#20\n", f'"1" {NOISE}'),
    "timeless.vcd": (f"{HEAD}#0\n0!\n#\n#9\n1!\n#20\n", f'"#" {NOISE}'),
    "part.vcd": (f"{HEAD}#0.5\n0!\n", f'"#0.5" {NOISE}'),
    "word.vcd": (HEAD + "q" * 2**22, NOISE),
    "lines.vcd": (variables(5000) + "$enddefinitions $end\n", "more than 4,096 lines"),
    "long.vcd": (variables(300_000) + "$enddefinitions $end\n", "more than 4,096 lines"),
    "comment.vcd": ("$comment" + " x" * 2**23, "$enddefinitions is missing"),
    "scale.vcd": (HEAD.replace("1 us", "0 us") + "#0\n0!", "its $timescale is invalid"),
    "empty.vcd": (b"", "$enddefinitions is missing"),
    "noise.vcd": (b"\x00\xff" * 99, "cannot be read"),
    "quote.csv": ('Time [s],a\n0,"' + "x" * 200_000, "is not a logic level"),
    "far.csv": (f"Time [s],a\n0,0\n{2**63},1\n", "longer than a hundred years"),
    "further.csv": ("Time [s],a\n0,0\n1e308,1\n", "longer than a hundred years"),
    "rate.csv": (f"; Samplerate: {'9' * 400} Hz\na\n0\n", "its sample rate is missing or invalid"),
    "twice.csv": ("Time [s],a,a\n0,0,0\n1,1,0\n", 'several of its lines are called "a"'),
    "lines.csv": ("Time [s]" + "".join(f",{n}" for n in range(5000)) + "\n0\n", "4,096 lines"),
    "empty.csv": ("", "it is empty"),
    "heading.csv": ("Time [s],D0\n", "no rows below its heading"),
    "short.csv": ("Time [s],D0,D1\n0.0,0,0\n1.0,1\n", "row 2 has 2 values, not 3"),
    "x.csv": ("Time [s],D0\n0.0,0\nx,1\n", 'row 2: "x" is not a time'),
    "nan.csv": ("Time [s],D0\nnan,0\n", 'row 1: "nan" is not a time'),
    "volts.csv": ("Time [s],D0\n0.0,3.3\n", 'row 1: "3.3" is not a logic level'),
    "samples.csv": (SAMPLED + "\n; a comment\n0,x\n", 'row 6: "x" is not a logic level'),
    "backwards.csv": ("Time [s],D0\n1.0,0\n0.5,1\n", "row 2 is earlier"),
    "untimed.csv": ("D0,D1\n0,1\n", "neither a time column nor a sample rate"),
    "unnamed.csv": ("0.0,0\n1.0,1\n", ""),
    "a.sal": ("", "export one of these"),
    "missing.csv": (None, ""),
}


def rows_of(seed, lines=40, count=2000):
    """Return a CSV in which about half of the lines change in each row."""
    chance = random.Random(seed)
    levels = (",".join(f"{chance.getrandbits(lines):0{lines}b}") for _ in range(count))
    head = "Time [s]" + "".join(f",D{n}" for n in range(lines))
    return "\n".join([head, *(f"{at},{row}" for at, row in enumerate(levels))])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("edges.csv", rows_of(1, count=60)),
        ("edges.vcd", HEAD + "".join(f"#{at} {at % 2}!\n" for at in range(1200))),
        ("edges.sr", session(b"\0\1" * 600)),
    ],
)
def test_too_many_edges_are_rejected(tmp_path, monkeypatch, name, content):
    monkeypatch.setattr(capture_file, "MOST_EDGES", 1000)
    monkeypatch.setattr(capture_file, "_PIECE", 4096)
    path = tmp_path / name
    content(path) if callable(content) else path.write_text(content)
    with pytest.raises(UserError, match=f"{name}: .* more than 1,000 edges"):
        capture_file.load(str(path))


def test_distinct_rows_take_memory_for_their_edges_only(tmp_path, monkeypatch):
    path = tmp_path / "noise.csv"
    path.write_text(rows_of(2))
    whole = capture_file.load(str(path))
    monkeypatch.setattr(capture_file, "_MOST_KNOWN", 10)
    tracemalloc.start()
    assert capture_file.load(str(path)) == whole
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    edges = sum(len(line.turns) for line in whole.lines.values())
    assert edges > 30_000 and peak < 16 * edges + 200_000


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_file_gets_one_sentence(tmp_path, name):
    path, (content, words) = tmp_path / name, REFUSED[name]
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(UserError) as caught:
        capture_file.load(str(path))
    assert "\n" not in str(caught.value) and name in str(caught.value)
    assert words in str(caught.value)
    assert caught.value.code == 2 and len(str(caught.value)) < 300
