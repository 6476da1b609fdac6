"""`city-unit monitor`: the events of a unit as they happen."""

import argparse
import contextlib
import json

from city_unit import host
from city_unit.desktop.arguments import add_json_lines, add_unit_port
from city_unit.desktop.catalogue import _, lazy, nlazy
from city_unit.desktop.errors import UserError
from city_unit.desktop.forms import number

CONNECTED = lazy("Connected to {name} ({body} {version}) at {port}: program {program}, {state}.")
DISCONNECTED = lazy("The unit is gone: {why}. Waiting for it.")
RESTARTED = lazy("The unit was started anew.")
MISSED = nlazy(
    "{count} event was lost: the unit no longer keeps it.",
    "{count} events were lost: the unit no longer keeps them.",
)
EVENT = lazy("{seconds:>10} s  {event}")
EDGE = lazy("{seconds:>10} s  {change:<24}{late_ms} ms late")
LAMP_ON = lazy("lamp {lamp} on")
LAMP_OFF = lazy("lamp {lamp} off")
TONE = lazy("tone {hz} Hz")
SILENCE = lazy("tone off")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_unit_port(parser)
    add_json_lines(parser)
    parser.add_argument(
        "--history", action="store_true", help=_("begin with what the unit still remembers")
    )
    parser.add_argument(
        "--edges",
        action="store_true",
        help=_("show as well each change of a lamp and of the tone, and how late it came"),
    )
    parser.add_argument("--events", type=int, metavar=_("N"), help=_("stop after so many events"))


def run(options: argparse.Namespace) -> int:
    try:
        try:
            unit = host.connect(options.port, history=options.history)
        except host.Busy as busy:  # another program has it: only watched then, where that can be
            try:
                unit = host.connect(options.port, history=options.history, watch=True)
            except host.NoUnit:
                raise busy from None
        with unit:
            seen = 0
            for news in unit:
                if options.edges and isinstance(news, host.Connected):
                    # Asked each time, since a unit forgets it with the line. One that is gone
                    # again will be asked again.
                    with contextlib.suppress(host.NoAnswer):
                        unit.send("watch on")
                line = as_json(news) if options.json else as_text(news, unit.port)
                if line:
                    print(line, flush=True)
                seen += isinstance(news, host.Event)
                if seen == options.events:
                    break
    except host.LinkError as error:
        raise UserError(str(error), 1) from error
    return 0


def as_json(news: host.News) -> str:
    """Return `news` as a line like those of the trace."""
    if isinstance(news, host.Event):
        more = {"more": news.more} if news.more else {}
        return json.dumps({"ms": news.ms, "event": news.kind, **news.fields, **more})
    if isinstance(news, host.Edge):
        lamp = {"lamp": news.what, "on": bool(news.value)}
        change = {"tone": news.value} if news.what == "tone" else lamp
        return json.dumps({"ms": news.due_ms, **change, "late_us": news.late_us})
    if isinstance(news, host.Connected):
        return json.dumps({"ms": news.snapshot.ms, "link": "connected", "boot": news.about.boot})
    if isinstance(news, host.Disconnected):
        return json.dumps({"link": "disconnected", "why": news.why})
    if isinstance(news, host.Restarted):
        return json.dumps({"link": "restarted", "boot": news.boot})
    if isinstance(news, host.Missed):
        return json.dumps({"link": "missed", "first": news.first, "count": news.count})
    return ""


def as_text(news: host.News, port: str) -> str:
    """Return `news` for a person."""
    if isinstance(news, host.Event):
        fields = [f"{name} {value}" for name, value in news.fields.items()]
        event = "  ".join([news.kind, *fields, *news.more])  # as they stand on the wire
        return EVENT.format(seconds=number(news.ms / 1000, 3), event=event)
    if isinstance(news, host.Edge):
        if news.what == "tone":
            change = TONE.format(hz=news.value) if news.value else str(SILENCE)
        else:
            change = (LAMP_ON if news.value else LAMP_OFF).format(lamp=news.what)
        seconds, late_ms = number(news.due_ms / 1000, 3), number(news.late_us / 1000, 1)
        return EDGE.format(seconds=seconds, change=change, late_ms=late_ms)
    if isinstance(news, host.Connected):
        about, snapshot = news.about, news.snapshot
        return CONNECTED.format(
            name=about.name,
            body=about.body,
            version=about.version,
            port=port,
            program=snapshot.program,
            state=snapshot.state,
        )
    if isinstance(news, host.Disconnected):
        return DISCONNECTED.format(why=news.why)
    if isinstance(news, host.Restarted):
        return str(RESTARTED)
    if isinstance(news, host.Missed):
        return MISSED.format(count=news.count)
    return ""
