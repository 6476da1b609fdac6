"""Puts the numbers that files import from one another into them, as a linker does.

`const` works within one file only: a number that another file imports is kept in memory by both,
under its name, and looked up by that. A board has little room, so that before its files are
compiled each such number takes the place of its name, and what nobody uses then is left out: the
name itself, and imports that only the type checker reads.
"""

# No texts: it reads our own sources.
import ast
from functools import cache


def linked(texts: dict[str, str]) -> dict[str, str]:
    """Return the sources of a whole board, by their paths there, without what they do not need."""
    return dict(_linked(tuple(texts.items())))


@cache  # boards with the same chip have the same files
def _linked(texts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    trees = {name: _Plain().visit(ast.parse(text)) for name, text in texts}
    numbers = {_module(name): _numbers(tree) for name, tree in trees.items()}
    for name, tree in trees.items():
        _put_in(_module(name), tree, numbers)
    wanted = {pair for name, tree in trees.items() for pair in _wanted(_module(name), tree)}
    for name, tree in trees.items():
        _leave_out(_module(name), tree, wanted, set(numbers))
    return tuple((name, ast.unparse(tree) + "\n") for name, tree in trees.items())


class _Plain(ast.NodeTransformer):
    """Leaves out annotations, which compile to nothing."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


class _Numbers(ast.NodeTransformer):
    """Puts numbers in the place of their names."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self._numbers or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Constant(self._numbers[node.id]), node)


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _numbers(tree: ast.Module) -> dict[str, int]:
    """Return the numbers that a file says are constant."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_const(node.value):
            value = node.value.args[0]  # type: ignore  # a call, as was just seen
            if isinstance(value, ast.Constant) and type(value.value) is int:
                found[ast.unparse(node.targets[0])] = value.value
    return found


def _is_const(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "const"


def _imported(module: str, node: ast.ImportFrom) -> str:
    """Return the full name of the module that a file imports from."""
    if not node.level:
        return node.module or ""
    package = module.split(".")[: -node.level]
    return ".".join([*package, node.module or ""]).rstrip(".")


def _put_in(module: str, tree: ast.Module, numbers: dict[str, dict[str, int]]) -> None:
    known = dict(numbers[module])
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            there = numbers.get(_imported(module, node), {})
            known |= {alias.name: there[alias.name] for alias in node.names if alias.name in there}
    _Numbers(known).visit(tree)


def _wanted(module: str, tree: ast.Module) -> set[tuple[str, str]]:
    """Return what a file wants: the names that it uses, each with the module that they are in."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_read(node)}
    found = {(module, name) for name in used}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            there = _imported(module, node)
            found |= {(there, alias.name) for alias in node.names if alias.name in used}
    return found


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _leave_out(module: str, tree: ast.Module, wanted: set[tuple[str, str]], ours: set[str]) -> None:
    """Leave out what a file binds, outside of any function, and nobody wants.

    A call of `const` is no call: the compiler sees it by its name.
    """
    used = {name for there, name in wanted if there == module} - {"const"}
    kept = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _imported(module, node) in ours:
            node.names = [alias for alias in node.names if alias.name in used]
            is_wanted = bool(node.names)
        else:
            is_wanted = not _only_binds(node) or bool(set(_bound(node)) & used)
        if is_wanted:
            kept.append(node)
    tree.body = kept


def _only_binds(node: ast.stmt) -> bool:
    """Return whether a statement does nothing but give names, or try to."""
    return isinstance(node, ast.Try) or (isinstance(node, ast.Assign) and _is_data(node.value))


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement gives to something."""
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not _is_read(node):
            found.append(node.id)
        elif isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [alias.asname or alias.name for alias in node.names]
    return found


def _is_data(node: ast.expr) -> bool:
    """Return whether evaluating an expression has no other effect."""
    return _is_const(node) or not any(isinstance(part, ast.Call) for part in ast.walk(node))
