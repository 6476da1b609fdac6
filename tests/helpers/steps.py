"""The text of a scenario, of its steps alone."""


def steps(*taken: tuple[str, ...], head: str = "seed = 7") -> str:
    """Return a scenario with a head; a step is `(at, do)`, and lines of its own if it has any."""
    texts = [
        "\n".join(["[[steps]]", f'at = "{at}"', f'do = "{do}"', *more]) for at, do, *more in taken
    ]
    return "\n".join([head, *texts, ""])
