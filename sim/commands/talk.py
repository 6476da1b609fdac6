"""The commands that talk to a unit: `city-unit ports`, `monitor` and `send`."""

import argparse
import contextlib
import json
import math
from dataclasses import asdict

from city_unit import host
from city_unit.desktop.catalogue import _, lazy, nlazy
from city_unit.desktop.command import add_json_lines, add_unit_port, number_from_1
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.forms import number, shortest
from city_unit.facts import LAMPS
from city_unit.host.client import choose_port
from city_unit.host.ports import NO_UNIT, SOCKET, WEB

IN_USE = lazy(
    "{port}  {kind}, in use by another program; if that is `city-unit serve`, use the ws:// address"
    " that it printed"
)
SILENT = lazy("{port}  {kind}, does not respond: {why}")
UNIT = lazy("{port}  {name}, {kind}, version {version}, program {program}, {state}")


def ports_arguments(parser: argparse.ArgumentParser) -> None:
    add_json_lines(parser)


def run_ports(options: argparse.Namespace) -> int:
    found = host.find()
    for unit in found:
        line = IN_USE.format(port=unit.port, kind=unit)
        said = {**asdict(unit), "answers": False}
        try:
            about, snapshot = host.greet(unit.port)
        except host.NoUnit as error:
            said["why"] = str(error)
            if not isinstance(error, host.Busy):
                line = SILENT.format(port=unit.port, kind=unit, why=error)
        else:
            said |= {"answers": True, "about": asdict(about), "snapshot": asdict(snapshot)}
            line = UNIT.format(
                port=unit.port,
                name=about.name,
                kind=unit,
                version=about.version,
                program=snapshot.program,
                state=snapshot.state,
            )
        print(json.dumps(said) if options.json else line, flush=True)
    if not found and not options.json:
        print(NO_UNIT)
    return 0


CONNECTED = lazy("Connected to {name} ({body} {version}) at {port}: program {program}, {state}.")
DISCONNECTED = lazy("Disconnected: {why}. Waiting for the unit.")
RESTARTED = lazy("The unit has restarted.")
MISSED = nlazy(
    "{count} event was lost: the unit no longer keeps it.",
    "{count} events were lost: the unit no longer keeps them.",
)
EDGE = lazy("{seconds:>10} s  {change:<24}{late_ms} ms late")
LAMP_ON = lazy("lamp {lamp} on")
LAMP_OFF = lazy("lamp {lamp} off")
TONE = lazy("tone {hz} Hz")


def monitor_arguments(parser: argparse.ArgumentParser) -> None:
    add_unit_port(parser)
    add_json_lines(parser)
    parser.add_argument(
        "--history", action="store_true", help=_("start with the events the unit still remembers")
    )
    parser.add_argument(
        "--edges",
        action="store_true",
        help=_("also show each change of a lamp or the tone, and how late it was"),
    )
    parser.add_argument(
        "--events", type=number_from_1, metavar=_("N"), help=_("stop after N events")
    )


def run_monitor(options: argparse.Namespace) -> int:
    port = choose_port(options.port)
    can_watch = port.startswith((SOCKET, *WEB))  # beside the program that controls the unit
    try:
        unit = host.connect(port, history=options.history, watch=can_watch)
    except host.NoUnit:
        if not can_watch:
            raise
        unit = host.connect(port, history=options.history)  # a board behind a TCP bridge
    with unit:
        seen = 0
        for news in unit:
            if options.edges and isinstance(news, host.Connected):
                # Repeated at each connection, since a unit forgets it at a disconnection. If the
                # unit has gone again, the next connection will send it.
                with contextlib.suppress(host.NoAnswer):
                    unit.send("watch on")
            content, words = fields_and_words(news, unit.port)
            if words:
                print(json.dumps(content) if options.json else words, flush=True)
            seen += isinstance(news, host.Event)
            if seen == options.events:
                break
    return 0


def fields_and_words(news: host.News, port: str) -> tuple[dict[str, object], str]:
    """Return `news` as the fields of a line of JSON, and in words."""
    if isinstance(news, host.Event):
        fields = [f"{name} {value}" for name, value in news.fields.items()]
        event = "  ".join([news.kind, *fields, *news.more])  # the words of the wire
        more = {"more": news.more} if news.more else {}
        words = _("{seconds:>10} s  {event}").format(seconds=number(news.ms / 1000, 3), event=event)
        return {"ms": news.ms, "event": news.kind, **news.fields, **more}, words
    if isinstance(news, host.Edge):
        if news.what == "tone":
            content: dict[str, object] = {"tone": news.value}
            change = TONE.format(hz=news.value) if news.value else _("tone off")
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


SEE_HELP = lazy("{refusal}; `city-unit send help` lists the commands")
# To translators: the words on the left are commands and stay as they are.
COMMANDS = lazy(
    """\
tap auction|build          press a button for 80 ms
press, release auction|build
hold auction|build MS      press a button for MS
switch on|off              hold the switch on or off while connected; `send` disconnects at once
switch free                release it earlier: the unit's own switch counts again
start [MS]                 start an auction, of MS or the program's length
stop                       cancel the auction
program NAME [CLOCK_MS]    start a game with another program, of CLOCK_MS or its own length
restart                    start another game
volume 0|1|2|3
identify                   blink and beep, to show which unit this is
show LAMPS HZ MS           light lamps and sound a tone, for a test; LAMPS is a sum of
                           {lamps}
state                      its state, the time left, its lamps and tone
describe [N]               the values of its program, page N
counters                   of received, ignored and dropped lines
board                      of a board: its pins, time awake, memory, supply, crash log"""
)


def send_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command",
        nargs="+",
        metavar=_("WORD"),
        help=_("the words of one command; `city-unit send help` lists the commands"),
    )
    add_unit_port(parser)
    parser.add_argument(
        "--timeout",
        type=float,
        default=2.0,
        metavar=_("S"),
        help=_("seconds to wait for the response (default: 2)"),
    )


def run_send(options: argparse.Namespace) -> int:
    command = " ".join(" ".join(options.command).split())
    if command == "help":
        bits = (f"{1 << place} {lamp}" for place, lamp in enumerate(LAMPS))
        print(COMMANDS.format(lamps=", ".join(bits)))
        return 0
    if not 0 < options.timeout < math.inf:
        words = _("--timeout {seconds}: must be above 0")
        raise UserError(words.format(seconds=shortest(options.timeout, 6)))
    try:
        with host.connect(options.port) as unit:
            answer = unit.send(command, options.timeout)
            if command == "state" and unit.snapshot is not None:  # it arrives before the answer
                said = asdict(unit.snapshot).items()
                answer = "\n".join(f"{name:<16}{value}" for name, value in said)
            print(answer or _("done"))
    except ValueError as error:
        raise UserError(str(error)) from error
    except host.Refused as error:
        if error.why not in ("bad-word", "unknown"):
            raise
        raise UserError(SEE_HELP.format(refusal=error), FAILURE) from error
    return 0
