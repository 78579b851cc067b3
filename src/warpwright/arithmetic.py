"""Arithmetic written as text: `4*B*T*H*(5*D + 1)`. Nothing but numbers, names and operators."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: math.pow,
}


def evaluate(expression: str, names: Mapping[str, float]) -> float:
    """Compute an expression of numbers, names, parentheses and + - * / // **, in float64.

    Raises:
        ValueError: with one line that says what cannot be computed.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        return _value(tree.body, names)
    except SyntaxError as error:
        raise ValueError(f"'{expression}' is not an expression: {error.msg}") from None
    except (ArithmeticError, RecursionError, MemoryError) as error:
        raise ValueError(f"'{expression}' cannot be computed: {error}") from None


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            if name not in names:
                known = ", ".join(names)
                raise ValueError(f"'{name}' is no dimension (there are {known})")
            return float(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, names), _value(right, names))
    raise ValueError(f"'{ast.unparse(node)}' is no number, dimension or + - * / // **")
