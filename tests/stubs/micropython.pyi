from typing import TypeVar

Value = TypeVar("Value")

def const(expr: Value) -> Value: ...
