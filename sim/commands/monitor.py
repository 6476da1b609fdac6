"""`city-unit monitor`: the events of a unit as they happen."""

import argparse
import contextlib
import json

from city_unit import host
from city_unit.desktop.arguments import add_json_lines, add_unit_port
from city_unit.desktop.catalogue import _, lazy, nlazy
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
            content, words = said(news, unit.port)
            if words:
                print(json.dumps(content) if options.json else words, flush=True)
            seen += isinstance(news, host.Event)
            if seen == options.events:
                break
    return 0


def said(news: host.News, port: str) -> tuple[dict[str, object], str]:
    """Return `news` as the content of a line like those of the trace, and for a person."""
    if isinstance(news, host.Event):
        fields = [f"{name} {value}" for name, value in news.fields.items()]
        event = "  ".join([news.kind, *fields, *news.more])  # as they stand on the wire
        more = {"more": news.more} if news.more else {}
        words = EVENT.format(seconds=number(news.ms / 1000, 3), event=event)
        return {"ms": news.ms, "event": news.kind, **news.fields, **more}, words
    if isinstance(news, host.Edge):
        if news.what == "tone":
            content: dict[str, object] = {"tone": news.value}
            change = TONE.format(hz=news.value) if news.value else str(SILENCE)
        else:
            content = {"lamp": news.what, "on": bool(news.value)}
            change = (LAMP_ON if news.value else LAMP_OFF).format(lamp=news.what)
        seconds, late_ms = number(news.due_ms / 1000, 3), number(news.late_us / 1000, 1)
        words = EDGE.format(seconds=seconds, change=change, late_ms=late_ms)
        return {"ms": news.due_ms, **content, "late_us": news.late_us}, words
    if isinstance(news, host.Connected):
        about, snapshot = news.about, news.snapshot
        words = CONNECTED.format(
            name=about.name,
            body=about.body,
            version=about.version,
            port=port,
            program=snapshot.program,
            state=snapshot.state,
        )
        return {"ms": snapshot.ms, "link": "connected", "boot": about.boot}, words
    if isinstance(news, host.Disconnected):
        return {"link": "disconnected", "why": news.why}, DISCONNECTED.format(why=news.why)
    if isinstance(news, host.Restarted):
        return {"link": "restarted", "boot": news.boot}, str(RESTARTED)
    if isinstance(news, host.Missed):
        missed = {"link": "missed", "first": news.first, "count": news.count}
        return missed, MISSED.format(count=news.count)
    return {}, ""
