"""Texts for people come from the catalogue: no room keeps words of its own beside it.

A literal is found in a file's syntax alone, by where it stands and how it reads:

- a literal that a person surely sees (an error, a printed line, a parser's help, a drawn label)
  may hold no word of ours at all, nor may the pieces of an f-string that stands there;
- elsewhere a literal counts that reads like prose: two words with a space between;
- a text may not be glued to one of the catalogue's, nor be made a plural by an index, nor have its
  capitals made by code.

A string that is no text, though it reads like one, says so at the end of its line: `# no text:
why`. A module that writes code for somebody else says it once, on a line of its own: `# No texts:
why`; words for a person are checked there all the same.
"""

import ast
import functools
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CATALOGUE = {"_", "gettext", "lazy"} | {
    f"{kind}{name}" for kind in ("n", "p", "np") for name in ("gettext", "lazy")
}
# Functions whose arguments a person sees.
SAYING = {"print", "say", "write_line", "UserError", "ArgumentTypeError", "error", "fail"}
# Arguments that a person sees, whatever takes them.
SEEN = {"help", "metavar", "description", "epilog", "usage", "caption", "label", "title", "tooltip"}
ON_A_BOARD = {"city_unit", "firmware/board", "firmware/virtual/lib"}
CAPITALS = {"upper", "capitalize", "title", "swapcase"}
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
# Names of files, options, JSON, patterns, colours: what no person reads as a sentence.
_CODE = re.compile(
    r"[\w./:*{}<>-]*([/_\\=<>{}#]|\.(?=\w))[\w./:*{}<>=-]*[;,]?|[a-z]+(-[a-z0-9]+)+:?|[A-Z0-9_]+"
    r"|\(?(ms|Hz|kHz|min|dB)[,;)\"]?"
)


class Finding(NamedTuple):
    """A literal, or a way of writing, that keeps a text from its translation."""

    path: str
    line: int
    why: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.why}: {self.what!r}"


def in_source(source: str, path: str = "") -> list[Finding]:
    """Return the findings in a module's text, in order of its lines."""
    reader = _Reader(source, path)
    reader.visit(_parsed(source))
    return sorted(set(reader.found), key=lambda finding: finding.line)


class _Reader(ast.NodeVisitor):
    """Walks a module; knows whether the present node is a text, is seen, or neither."""

    def __init__(self, source: str, path: str) -> None:
        self._lines = source.splitlines()
        self._writes_code = MARK_OF_MODULE in source
        self._path = path
        self._is_seen = False
        self.found: list[Finding] = []

    def _note(self, node: ast.expr, why: str, what: str) -> None:
        if why == "prose" and self._writes_code:
            return
        last = node.end_lineno or node.lineno
        lines = self._lines[node.lineno - 1 : last]
        if not any(MARK in line for line in lines):
            self.found.append(Finding(self._path, node.lineno, why, what))

    def _walk(self, nodes: list[ast.expr], is_seen: bool) -> None:
        before, self._is_seen = self._is_seen, is_seen
        for node in nodes:
            self.visit(node)
        self._is_seen = before

    def _body(self, node: ast.AST) -> None:
        """Visit all but the docstring and the annotations."""
        body = getattr(node, "body", [])
        first = body[0] if body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            body = body[1:]
        arguments = getattr(node, "args", None)
        if isinstance(arguments, ast.arguments):
            defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
            self._walk(defaults, False)
        before, self._is_seen = self._is_seen, False
        for statement in body:
            self.visit(statement)
        self._is_seen = before

    visit_Module = visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _body

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """The words of an assertion are for us: a person sees none."""

    def visit_Assign(self, node: ast.Assign) -> None:
        targets = [target for target in node.targets if isinstance(target, ast.Attribute)]
        self._walk([node.value], any(target.attr in SEEN for target in targets))

    def visit_Raise(self, node: ast.Raise) -> None:
        """A raised error is seen, unless it says that we are wrong."""
        ours = ("AssertionError", "NotImplementedError", "SystemExit")
        if isinstance(node.exc, ast.Call) and _name(node.exc.func) not in ours:
            self._walk([node.exc], True)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if name in CATALOGUE:
            return
        if name in CAPITALS and isinstance(node.func, ast.Attribute) and not node.args:
            self._note(node, "capitals made by code", ast.unparse(node)[:60])
        if name in ("missing", "at") or (name == "error" and len(node.args) > 1):
            self._walk(node.args[1:], True)  # the first is a key of a file
        elif name in ("compile", "fullmatch", "sub", "findall", "search", "match", "split"):
            patterns = node.args[:1] if isinstance(node.func, ast.Attribute) else []
            self._walk([part for part in node.args if part not in patterns], self._is_seen)
        else:
            writes = ast.unparse(node.func) in ("sys.stdout.write", "sys.stderr.write")
            self._walk(node.args, self._is_seen or name in SAYING or writes)
        if name == "add_argument" and _has_own_metavar(node):
            self._note(node, "a metavar of argparse's own", ast.unparse(node.args[0]))
        for word in node.keywords:
            self._walk([word.value], word.arg in SEEN or (self._is_seen and name in SAYING))
        self._walk([node.func], False)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A compared word is an identifier, and so is a word looked up in a list."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        texts = node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else []
        if isinstance(node.slice, ast.Compare) and any(
            _is_said(part) or isinstance(part, ast.Constant | ast.JoinedStr) for part in texts
        ):
            self._note(node, "a plural by index", ast.unparse(node)[:60])
        self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            self._walk([node.slice], False)

    def visit_Dict(self, node: ast.Dict) -> None:
        self._walk(node.values, self._is_seen)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        ends = [part.value for part in (node.body, node.orelse) if isinstance(part, ast.Constant)]
        if "" in ends and "s" in ends:
            self._note(node, "a plural by hand", ast.unparse(node)[:60])
        self._walk([node.test], False)
        self._walk([node.body, node.orelse], self._is_seen)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add) and any(map(_is_said, (node.left, node.right))):
            self._note(node, "glued to a text", ast.unparse(node)[:60])
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pieces = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
        whole = "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{x}" for part in node.values
        )
        values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        said = [value for value in values if _is_said(value)]
        if said and (len(values) > 1 or any(_WORD.search(piece) for piece in pieces)):
            self._note(node, "glued to a text", ast.unparse(node)[:60])
        elif self._is_seen and any(_WORD.search(piece) for piece in pieces):
            if not _is_code(whole, is_seen=True):
                self._note(node, "seen", whole)
        elif _reads_like_prose(whole):
            self._note(node, "prose", whole)
        self._walk(values, False)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = node.value
        if not isinstance(text, str):
            return
        if self._is_seen and _WORD.search(text) and not _is_code(text, is_seen=True):
            self._note(node, "seen", text)
        elif _reads_like_prose(text):
            self._note(node, "prose", text)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _has_own_metavar(node: ast.Call) -> bool:
    """Return whether an argument takes a value that its help calls by its English name."""
    words = {word.arg: word.value for word in node.keywords}
    action = words.get("action")
    takes_none = action is not None and ast.unparse(action) not in ("'append'", "'extend'")
    if isinstance(words.get("metavar"), ast.Constant):
        return True
    return not (takes_none or {"metavar", "choices"} & set(words))


def _is_said(node: ast.expr) -> bool:
    """Return whether an expression is a text of the catalogue, filled in or not."""
    if isinstance(node, ast.Call) and _name(node.func) == "format":
        return isinstance(node.func, ast.Attribute) and _is_said(node.func.value)
    return isinstance(node, ast.Call) and _name(node.func) in CATALOGUE


def _reads_like_prose(text: str) -> bool:
    return bool(_PROSE.search(text)) and not _is_code(text)


def _is_code(text: str, is_seen: bool = False) -> bool:
    """Return whether each word of a literal is a name, an option, a path or the like.

    is_seen  it stands where a person sees it: there a name within the program is a word
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
    """Return the strings that are compared, looked up or a key: names of actions, events, spots."""
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
    """Return the folders with modules whose words a person sees.

    A module on a board has no room for a catalogue: the desktop says its words.
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
    'parser.add_argument("--seed", metavar="NUMBER of it", help=_("where chance begins"))',
    'parser.add_argument("--seed", help=_("where chance begins"))',
    'parser.epilog = "Go on."',
    'table.error("clock", "too long")',
    'LABELS = {"auction": "The auction runs"}',
    'LABEL = f"{count} games"',
    'def label():\n    """Say it."""\n    return "the hour is over"',
    'def label(text="the hour is over"): pass',
    'LINE = _("The auction runs.") + " " + _("It warns.")',
    'LINE = f"{_(name)}, {_(verb)}"',
    'LINE = _("Wait for {port}.").format(port=port) + "!"',
    "LINE = word.capitalize()",
    'GAMES = ("game", "games")[count != 1]',
    "GAMES = f\"game{'' if count == 1 else 's'}\"",
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
    assert "\n".join(map(str, found)) == ""
