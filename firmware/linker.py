"""Prepares the sources of a board for the compiler, as a linker does: numbers, then files.

`linked` puts the numbers that files import from one another into them. `const` works within one
file only: a number that another file imports is kept in memory by both, under its name, and looked
up by that. Each such number takes the place of its name, and all that nobody uses then is left out:
the name itself, and imports that only the type checker reads.

`joined` makes two files of all modules, since MicroPython takes 8 to 10 ms to find each file,
whatever its size. The first holds all modules that the start imports outside of functions. The
second holds those that only a function imports; it is read while the first note sounds.
"""

# No texts: it reads our own sources.
import ast
from collections.abc import Iterable

FIRST, LATER = "city_unit_board", "city_unit_link"  # the two files, as modules
# By module and name there: the name in the joined files, and the module that binds it.
Names = dict[tuple[str, str], tuple[str, str]]


def linked(texts: dict[str, str]) -> dict[str, str]:
    """Return the sources of a whole board, by their paths there, without unused names."""
    trees = {name: ast.parse(text) for name, text in texts.items()}
    numbers = {module_of(name): _numbers(tree) for name, tree in trees.items()}
    wanted: set[tuple[str, str]] = set()  # the names that files use, each with its module
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
        _leave_out(module_of(name), tree, wanted, set(numbers))
    return {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def joined(texts: dict[str, str], main: str) -> dict[str, str]:
    """Return the sources of a whole board, by their paths there: `main` and two more files.

    A name that two modules give to different things gets a number behind it.
    """
    trees = {module_of(name): ast.parse(text) for name, text in linked(texts).items()}
    ours = set(trees)
    start = trees.pop(module_of(main))
    first = _in_order(_imports(start, module_of(main), ours), trees, ours)
    later = [name for name in _in_order(sorted(trees), trees, ours) if name not in first]
    files = {**dict.fromkeys(first, FIRST), **dict.fromkeys(later, LATER)}
    names = _named(trees, files, ours)
    made = {FIRST: ast.Module([], []), LATER: ast.Module([], [])}
    elsewhere: set[str] = set()
    for module, file in files.items():
        join = _Join(module, file, names, files)
        made[file].body += join.visit(trees[module]).body
        elsewhere |= join.elsewhere
    made[LATER].body.insert(0, _import_of(FIRST, {name: name for name in sorted(elsewhere)}))
    texts = {f"{file}.py": _unparsed(tree) for file, tree in made.items()}
    return {**texts, main: _unparsed(_Join(module_of(main), "", names, files).visit(start))}


class _Linked(ast.NodeTransformer):
    """Puts numbers in place of their names; leaves out annotations, which compile to nothing."""

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
    """Return the name under which the file at a path is imported."""
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


def imported(module: str, node: ast.ImportFrom) -> str:
    """Return the full name of the module that a file imports from."""
    if not node.level:
        return node.module or ""
    package = module.split(".")[: -node.level]
    return ".".join([*package, node.module or ""]).rstrip(".")


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _leave_out(module: str, tree: ast.Module, wanted: set[tuple[str, str]], ours: set[str]) -> None:
    """Remove the unused names that a file binds outside of any function.

    A call of `const` is no call: the compiler sees it by its name.
    """
    used = {name for there, name in wanted if there == module} - {"const"}
    kept = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and imported(module, node) in ours:
            node.names = [alias for alias in node.names if alias.name in used]
            is_wanted = bool(node.names)
        else:
            calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
            is_data = isinstance(node, ast.Assign) and (not calls or _is_const(node.value))
            only_binds = isinstance(node, ast.Try) or is_data
            is_wanted = not only_binds or bool(_stored([node]) & used)
        if is_wanted:
            kept.append(node)
    tree.body = kept


def _imports(tree: ast.Module, module: str, ours: set[str]) -> list[str]:
    """Return the modules of ours that a file imports outside of any function."""
    found, waiting = [], list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.ImportFrom) and imported(module, node) in ours:
            found.append(imported(module, node))
        elif isinstance(node, (ast.If, ast.Try)):
            waiting += [*node.body, *node.orelse]
    return found


def _in_order(begin: Iterable[str], trees: dict[str, ast.Module], ours: set[str]) -> list[str]:
    """Return modules and all that they import, each after those that it imports."""
    found: list[str] = []
    for module in begin:
        if module not in found:
            needed = _in_order(_imports(trees[module], module, ours), trees, ours)
            found += [name for name in (*needed, module) if name not in found]
    return found


def _named(trees: dict[str, ast.Module], files: dict[str, str], ours: set[str]) -> Names:
    """Return the names that the modules of a board bind, each once for all of them."""
    names: Names = {}
    meanings: dict[str, str] = {}  # by joined name
    for module in files:
        for node in trees[module].body:
            if isinstance(node, ast.ImportFrom) and imported(module, node) in ours:
                there = imported(module, node)  # another module of ours has bound them
                names |= {(module, row.name): names[there, row.name] for row in node.names}
                continue
            is_import = isinstance(node, (ast.Import, ast.ImportFrom))
            for name in _stored([node]):
                meaning = ast.unparse(node) if is_import else f"{module}.{name}"
                joined_name, number = name, 2
                while meanings.setdefault(joined_name, meaning) != meaning:
                    joined_name, number = f"{name}_{number}", number + 1
                names[module, name] = joined_name, module
    return names


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


def _import_of(file: str, names: dict[str, str]) -> ast.stmt:
    aliases = [ast.alias(name, None if name == here else here) for name, here in names.items()]
    return ast.ImportFrom(file, aliases, 0)


def _unparsed(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Join(ast.NodeTransformer):
    """Gives the names of a module the ones that they have in a joined file.

    elsewhere  the names of the first file that a module of the second one reads
    """

    def __init__(self, module: str, file: str, names: Names, files: dict[str, str]) -> None:
        self._module = module
        self._file = file
        self._names = names
        self._files = files
        self._local: list[dict[str, str | None]] = []  # of each function; None is its own variable
        self.elsewhere: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        if isinstance(node.body[0], ast.Expr):
            del node.body[0]  # the docstring
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._joined(node.id)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        there = imported(self._module, node)
        if there not in self._files:
            return node
        if self._file and (not self._local or self._is_here(there)):
            return None
        # It is in a file that is read only now.
        found = {self._names[there, alias.name][0]: alias.name for alias in node.names}
        return _import_of(self._files[there], found)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not self._local:
            node.name = self._joined(node.name)
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        own = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        local: dict[str, str | None] = dict.fromkeys(own | _stored(node.body))
        for part in ast.walk(node):
            if isinstance(part, ast.ImportFrom):
                there = imported(self._module, part)
                if self._is_here(there):
                    local |= {alias.name: self._of(there, alias.name) for alias in part.names}
        self._local.append(local)
        kept = [self.visit(statement) for statement in node.body]
        node.body = [statement for statement in kept if statement] or [ast.Pass()]
        self._local.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._local.append(dict.fromkeys(arg.arg for arg in node.args.args))
        node = self.generic_visit(node)  # type: ignore  # the same node
        self._local.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._joined(node.name)
        node.bases = [self.visit(base) for base in node.bases]
        own = dict.fromkeys(_stored(node.body))
        for place, statement in enumerate(node.body):
            if isinstance(statement, ast.FunctionDef):
                name = statement.name
                node.body[place] = self.visit(statement)
                statement.name = name  # of a method
            else:
                self._local.append(own)
                node.body[place] = self.visit(statement)
                self._local.pop()
        return node

    def _is_here(self, module: str) -> bool:
        """Return whether a module is in this file, or in one that is read before it."""
        there = self._files.get(module)
        return there is not None and bool(self._file) and (there in (self._file, FIRST))

    def _joined(self, name: str) -> str:
        for local in reversed(self._local):
            if name in local:
                return local[name] or name
        if (self._module, name) in self._names:
            return self._of(self._module, name)
        return name

    def _of(self, module: str, name: str) -> str:
        joined_name, binds = self._names[module, name]
        if self._files[binds] != self._file:
            self.elsewhere.add(joined_name)
        return joined_name
