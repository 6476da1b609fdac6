"""Texts for people come from the catalogue: no source has words of its own.

The syntax tree shows a literal's place and contents:

- a literal that a person certainly sees (an error, a printed line, a parser's help, a drawn label)
  must not contain words, and neither must the pieces of an f-string there;
- elsewhere a literal must not read like prose: two words with a space in between;
- a text must not be concatenated with one of the catalogue.

A string that reads like a text but is none has a mark at the end of its line: `# no text: why`. A
module that writes code has one mark on a line of its own: `# No texts: why`; there, only literals
that a person sees are checked.
"""

import ast
import functools
import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
CATALOGUE = {"_", "gettext", "lazy"} | {
    f"{kind}{name}" for kind in ("n", "p", "np") for name in ("gettext", "lazy")
}
# Functions whose arguments people see.
SAYING = {"print", "say", "write_line", "UserError", "ArgumentTypeError", "error", "fail"}
# Keyword arguments that people see, of any function.
SEEN = {"help", "metavar", "description", "epilog", "usage", "caption", "label", "title", "tooltip"}
ON_A_BOARD = {"city_unit", "firmware/board", "firmware/virtual/lib"}
# Errors that report bugs of ours.
OURS = ("AssertionError", "NotImplementedError", "SystemExit")
_parsed = functools.cache(ast.parse)
MARK, MARK_OF_MODULE = "# no text: ", "\n# No texts: "

_WORD = re.compile(r"[^\W\d_]{2,}")
_PROSE = re.compile(r"[^\W\d_]{2,}[,;:.!?]? +[^\W\d_]{2,}|[^\W\d_]{2,} [\"'(]?\{|\} [^\W\d_]{2,}")
# A step of a scenario, or a message of the link, by its first word.
_ON_THE_WIRE = re.compile(
    r"(release|tap|hold|switch|watch|program|done|refused|bye|hello|since|do|ping|pay|receive)"
    r"( [a-z-]+| \{x\}| [\d.]+)*"
)
_NAME = re.compile(r"[a-z]+( [a-z]+){0,3}")
_PROPER_NAME = re.compile(r"[A-Z][\w]*( [A-Z0-9][\w]*)+")
_TAG = re.compile(r"</?[a-z][^<>]*>")  # of a drawing; the words between its tags may be a text
# Names of files, options, JSON, patterns, colours: not sentences.
_CODE = re.compile(
    r"[\w./:*{}<>-]*([/_\\=<>{}#]|\.(?=\w))[\w./:*{}<>=-]*[;,]?|[a-z]+(-[a-z0-9]+)+:?|[A-Z0-9_]+"
    r"|\(?(ms|Hz|kHz|min|dB)[,;)\"]?"
)


def in_source(source: str, path: str = "") -> list[str]:
    """Return everything in a module that keeps a text from being translated."""
    lines, writes_code = source.splitlines(), MARK_OF_MODULE in source
    found = []

    def note(node: ast.expr, why: str, what: str = "") -> None:
        marked = any(MARK in line for line in lines[node.lineno - 1 : node.end_lineno])
        if not marked and not (why == "prose" and writes_code):
            found.append(f"{path}:{node.lineno}: {why}: {what or ast.unparse(node)[:60]!r}")

    def judge(node: ast.expr, text: str, is_seen: bool) -> None:
        if is_seen and _WORD.search(text.replace("{x}", "")) and not _is_code(text, is_seen=True):
            note(node, "seen", text)
        elif _PROSE.search(text) and not _is_code(text):
            note(node, "prose", text)

    def walk(node: ast.AST | None, is_seen: bool = False) -> None:
        """Judge a node and those in it; `is_seen`: a person sees a literal there."""
        match node:
            case ast.Module(body=body) | ast.ClassDef(body=body):
                walk_all(body[ast.get_docstring(node) is not None :])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                walk_all([*node.args.defaults, *node.args.kw_defaults])
                walk_all(node.body[ast.get_docstring(node) is not None :])
            case ast.Assert() | ast.Compare():  # words for us; a compared word is an identifier
                pass
            case ast.AnnAssign(value=value):
                walk(value, is_seen)
            case ast.Assign(targets=targets, value=value):
                walk(value, any(getattr(target, "attr", "") in SEEN for target in targets))
            case ast.Raise(exc=error):
                if isinstance(error, ast.Call) and _name(error.func) not in OURS:
                    walk(error, True)
            case ast.Call():
                walk_call(node, is_seen)
            case ast.Subscript(value=value, slice=place):
                walk(value, is_seen)
                walk(None if isinstance(place, ast.Constant) else place)
            case ast.Dict(values=values):
                walk_all(values, is_seen)
            case ast.IfExp(test=test, body=body, orelse=other):
                walk(test)
                walk_all([body, other], is_seen)
            case ast.JoinedStr(values=parts):
                values = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
                texts = [getattr(part, "value", "") for part in parts]
                pieces = [text if isinstance(text, str) else "{x}" for text in texts]
                has_words = any(_WORD.search(piece) for piece in pieces if piece != "{x}")
                if any(map(_is_said, values)) and (len(values) > 1 or has_words):
                    note(node, "glued to a text")
                else:
                    judge(node, "".join(pieces), is_seen)
                walk_all(values)
            case ast.Constant(value=str(text)):
                judge(node, text, is_seen)
            case _:
                is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
                if is_sum and (_is_said(node.left) or _is_said(node.right)):
                    note(node, "glued to a text")
                walk_all(ast.iter_child_nodes(node) if node else [], is_seen)

    def walk_all(nodes: Iterable[ast.AST | None], is_seen: bool = False) -> None:
        for node in nodes:
            walk(node, is_seen)

    def walk_call(node: ast.Call, is_seen: bool) -> None:
        name, is_method = _name(node.func), isinstance(node.func, ast.Attribute)
        if name in CATALOGUE:
            return
        if name in ("missing", "at") or (name == "error" and len(node.args) > 1):
            walk_all(node.args[1:], True)  # the first is a key of a file
        elif name in ("compile", "fullmatch", "sub", "findall", "search", "match", "split"):
            walk_all(node.args[is_method:], is_seen)  # the first is a pattern
        else:
            writes = ast.unparse(node.func) in ("sys.stdout.write", "sys.stderr.write")
            walk_all(node.args, is_seen or name in SAYING or writes)
        for word in node.keywords:
            walk(word.value, word.arg in SEEN or (is_seen and name in SAYING))
        walk(node.func)

    walk(_parsed(source))
    return found


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _is_said(node: ast.expr) -> bool:
    """Return whether an expression is a text of the catalogue, formatted or not."""
    if isinstance(node, ast.Call) and _name(node.func) == "format":
        return isinstance(node.func, ast.Attribute) and _is_said(node.func.value)
    return isinstance(node, ast.Call) and _name(node.func) in CATALOGUE


def _is_code(text: str, is_seen: bool = False) -> bool:
    """Return whether each word of a literal is a name, an option, a path or the like.

    is_seen  whether people see it; then a name inside the program counts as a word
    """
    text = _TAG.sub("", text).strip()
    if _ON_THE_WIRE.fullmatch(text) and (not is_seen or re.search(r"[{\d]", text)):
        return True
    if not is_seen and re.sub(r"[ :]*\{x\}$", "", text) in _identifiers():
        return True
    if _PROPER_NAME.fullmatch(text):
        return True
    return all(_CODE.fullmatch(word) or not _WORD.search(word) for word in text.split())


@functools.cache
def _identifiers() -> set[str]:
    """Return the strings that are compared or are keys: names of actions, events, spots."""
    parts: list[ast.AST | None] = []
    for path in (path for room in rooms() for path in (ROOT / room).glob("*.py")):
        for node in ast.walk(_parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                parts += [
                    part for side in (node.left, *node.comparators) for part in ast.walk(side)
                ]
            elif isinstance(node, ast.Dict):
                parts += node.keys
    words = {part.value for part in parts if isinstance(part, ast.Constant)}
    return {word for word in words if isinstance(word, str) and _NAME.fullmatch(word)}


def rooms() -> list[str]:
    """Return the folders with modules whose texts people see.

    Modules of a board have no memory for a catalogue; the desktop has their texts.
    """
    tops = [ROOT / top for top in ("city_unit", "city_game", "sim", "firmware")]
    folders = {path.parent for top in tops for path in top.rglob("*.py")}
    names = {folder.relative_to(ROOT).as_posix() for folder in folders} - ON_A_BOARD
    return sorted(names)


PLANTED = [
    'raise UserError("no such port")',
    'raise ValueError(f"{word} is no number")',
    'print("done")',
    'sys.stderr.write("Wait.\\n")',
    'parser.add_argument("--seed", help="where chance begins")',
    'parser.epilog = "Go on."',
    'table.error("clock", "too long")',
    'LABELS = {"auction": "The auction runs"}',
    'LABEL = f"{count} games"',
    'def label():\n    """Say it."""\n    return "the hour is over"',
    'def label(text="the hour is over"): pass',
    'LINE = _("The auction runs.") + " " + _("It warns.")',
    'LINE = f"{_(name)}, {_(verb)}"',
    'LINE = _("Wait for {port}.").format(port=port) + "!"',
    "SVG = f'<text x=\"{x}\">the hour is over</text>'",
]
INNOCENT = [
    '"""What a module is for."""',
    'raise UserError(_("There is no unit at {port}.").format(port=port))',
    'NO_UNIT = lazy("There is no unit at {port}.")',
    'GAMES = nlazy("{count} game", "{count} games")',
    'parser.add_argument("--seed", metavar=_("N"), help=_("where chance begins"))',
    'table.error("clock", _("too long"))',
    'if words == "switch on": pass',
    'unit.send("tap auction")',
    'PATTERN = re.compile("at line (.+) of it")',
    'assert done, "the end is never reached"',
    'print(f"{player} {sum_of}")',
    'SVG = f\'<rect x="{x}" y="{y}" fill="none"/>\'',
    'PROGRAM = "import os; print(os.listdir())"  # no text: runs on the board',
    "def sums() -> 'a list of them': pass",
]


def test_words_beside_the_catalogue_are_found_where_there_are_any():
    assert [text for text in PLANTED if not in_source(text)] == []
    assert [text for text in INNOCENT if in_source(text)] == []
    found = []
    for path in (path for room in rooms() for path in sorted((ROOT / room).glob("*.py"))):
        found += in_source(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    assert found == []
