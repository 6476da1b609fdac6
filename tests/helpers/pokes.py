"""Where a test reaches into what is private: an underscore says that only its owner may."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

# What only looks private: of named tuples, and of Python itself.
PUBLIC = {"_replace", "_asdict", "_fields", "_make", "_exit", "_getframe"}
OWN = ("self", "cls")
BY_NAME = {"setattr", "getattr", "hasattr", "delattr"}
IN_TEXT = re.compile(r"(?<=[\w)\]])\??\.(_[a-z]\w*)")  # in code of any language, or a dotted name


class Poke(NamedTuple):
    """A line of a test, and the private name that it uses."""

    line: int
    name: str


def in_source(source: str) -> list[Poke]:
    """Return the pokes of a module of tests."""
    nodes = list(ast.walk(ast.parse(source)))
    found = {poke for node in nodes for poke in _in_node(node)}
    inherited = {poke for node in nodes for poke in _inherited(node)}
    return sorted(found | inherited)


def in_text(text: str, line: int = 1) -> list[Poke]:
    """Return the pokes of a text that is code: of another program, or of a page."""
    return [
        Poke(line + number, name)
        for number, words in enumerate(text.split("\n"))
        for name in IN_TEXT.findall(words)
        if _is_private(name)
    ]


def _in_node(node: ast.AST) -> Iterator[Poke]:
    if isinstance(node, ast.Attribute) and _is_private(node.attr):
        if not (isinstance(node.value, ast.Name) and node.value.id in OWN):
            yield Poke(node.lineno, node.attr)
    elif isinstance(node, ast.ImportFrom):
        yield from (Poke(node.lineno, each.name) for each in node.names if _is_private(each.name))
    elif isinstance(node, ast.Call):
        yield from _by_name(node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from in_text(node.value, node.lineno)


def _by_name(call: ast.Call) -> Iterator[Poke]:
    if getattr(call.func, "attr", getattr(call.func, "id", "")) not in BY_NAME:
        return
    for word in call.args[:2]:
        if isinstance(word, ast.Constant) and _is_private(str(word.value)):
            yield Poke(call.lineno, str(word.value))


def _inherited(node: ast.AST) -> Iterator[Poke]:
    """Yield what a class has from another, and uses or replaces."""
    if not isinstance(node, ast.ClassDef) or not node.bases:
        return
    uses = [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in OWN
        and _is_private(each.attr)
    ]
    methods = [each for each in ast.walk(node) if isinstance(each, ast.FunctionDef)]
    made = {use.attr for use in uses if isinstance(use.ctx, ast.Store)}
    made |= {method.name for method in methods}
    used = {use.attr for use in uses}
    yield from (Poke(use.lineno, use.attr) for use in uses if use.attr not in made)
    for method in methods:
        if _is_private(method.name) and method.name not in used:
            yield Poke(method.lineno, method.name)


def _is_private(name: str) -> bool:
    return bool(re.fullmatch(r"_[A-Za-z]\w*", name)) and name not in PUBLIC
