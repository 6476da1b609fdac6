"""SVG: the one writer of all drawings; its callers draw."""

from collections.abc import Iterable
from html import escape


def element(name: str, words: str | None = None, /, **attributes: object) -> str:
    """Return an element, with a text in it or empty.

    `_` in an attribute's name stands for `-`; an attribute that is None is left out; a float has
    one place behind the point, or none if that is 0.
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
    """Return a whole drawing, whose coordinates are in pixels.

    first  elements after the head, as a ground or a style
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


WHITE = element("rect", width="100%", height="100%", fill="#fff")  # a ground, as `first`
