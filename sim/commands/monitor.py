"""`city-unit monitor`: what a unit does, as it happens."""

import contextlib
import json

from city_unit import host
from sim import texts_link as texts
from sim.errors import UserError


def arguments(parser) -> None:
    parser.add_argument("--port", default="auto", help=texts.HELP_PORT)
    parser.add_argument("--json", action="store_true", help=texts.HELP_JSON)
    parser.add_argument("--history", action="store_true", help=texts.HELP_HISTORY)
    parser.add_argument("--edges", action="store_true", help=texts.HELP_EDGES)
    parser.add_argument("--events", type=int, metavar="N", help=texts.HELP_EVENTS)


def run(options) -> int:
    try:
        with host.connect(options.port, history=options.history) as unit:
            _show(unit, options)
    except host.LinkError as error:
        raise UserError(str(error), 1) from error
    return 0


def _show(unit: host.Client, options) -> None:
    tell = as_json if options.json else as_text
    seen = 0
    for news in unit:
        if options.edges and isinstance(news, host.Connected):
            _watch(unit)
        line = tell(news, unit)
        if line:
            print(line, flush=True)
        seen += isinstance(news, host.Event)
        if seen == options.events:
            return


def _watch(unit: host.Client) -> None:
    """Have the unit tell its edges; asked each time, since a unit forgets it with the line."""
    with contextlib.suppress(host.NoAnswer):  # it is gone again, and will be asked again
        unit.send("watch on")


def as_json(news: host.News, _unit: host.Client) -> str:
    """Return `news` as a line like those of the trace."""
    if isinstance(news, host.Event):
        return json.dumps({"ms": news.ms, "event": news.kind, **news.fields})
    if isinstance(news, host.Edge):
        return json.dumps({"ms": news.due_ms, **_change(news), "late_us": news.late_us})
    if isinstance(news, host.Connected):
        return json.dumps({"ms": news.snapshot.ms, "link": "connected", "boot": news.about.boot})
    if isinstance(news, host.Disconnected):
        return json.dumps({"link": "disconnected", "why": news.why})
    if isinstance(news, host.Restarted):
        return json.dumps({"link": "restarted", "boot": news.boot})
    if isinstance(news, host.Missed):
        return json.dumps({"link": "missed", "first": news.first, "count": news.count})
    return ""


def as_text(news: host.News, unit: host.Client) -> str:
    """Return `news` for a person."""
    if isinstance(news, host.Event):
        fields = "".join(f"  {name} {value}" for name, value in news.fields.items())
        return texts.EVENT % (news.ms / 1000, news.kind, fields)
    if isinstance(news, host.Edge):
        return texts.EDGE % (news.due_ms / 1000, _in_words(news), news.late_us / 1000)
    if isinstance(news, host.Connected):
        about, snapshot = news.about, news.snapshot
        who = (about.name, f"{about.body} {about.version}", unit.port)
        return texts.CONNECTED % (*who, snapshot.program, snapshot.state)
    if isinstance(news, host.Disconnected):
        return texts.DISCONNECTED % news.why
    if isinstance(news, host.Restarted):
        return texts.RESTARTED
    if isinstance(news, host.Missed):
        return texts.MISSED % news.count
    return ""


def _change(edge: host.Edge) -> dict[str, object]:
    """Return what has changed, named as in the trace."""
    if edge.what == "tone":
        return {"tone": edge.value}
    return {"lamp": edge.what, "on": bool(edge.value)}


def _in_words(edge: host.Edge) -> str:
    if edge.what == "tone":
        return texts.TONE % edge.value if edge.value else texts.SILENCE
    return (texts.LAMP_ON if edge.value else texts.LAMP_OFF) % edge.what
