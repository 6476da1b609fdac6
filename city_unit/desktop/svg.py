"""Write SVG elements and documents."""

from collections.abc import Iterable
from html import escape


def element(name: str, words: str | None = None, /, **attributes: object) -> str:
    """Return an element with a text, or an empty one.

    In attribute names `_` stands for `-`. Attributes that are None are omitted. Floats are rounded
    to one decimal, omitted if it is 0.
    """
    given = "".join(
        f' {key.replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}/>" if words is None else f"<{name}{given}>{escape(words)}</{name}>"


def number(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def document(
    width: float, height: float, elements: Iterable[str], first: str = "", **attributes: object
) -> str:
    """Return a complete drawing with coordinates in pixels.

    first  elements at the start, such as a background or a style
    """
    size = f"{number(width)} {number(height)}"
    head = element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size}",
        width=width,
        height=height,
        **attributes,
    )
    return "\n".join([f"{head.removesuffix('/>')}>{first}", *elements, "</svg>\n"])


WHITE = element("rect", width="100%", height="100%", fill="#fff")  # a background for `first`
