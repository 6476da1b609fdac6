"""How a program comes to a unit: which port is meant, and a client that is there or on its way."""

from city_unit.desktop.catalogue import lazy
from city_unit.host.client import Client
from city_unit.host.errors import NoUnit
from city_unit.host.lines.discovery import choose
from city_unit.host.lines.ports import open_port
from city_unit.host.news import About, Snapshot

AUTO = "auto"
NO_NAME = lazy(
    "no port is named: it is auto, auto:NAME, a serial port, socket://HOST:PORT or"
    " ws://HOST:PORT/SECRET/NAME"
)
NO_TEXT = lazy('a port is a text, such as "auto" or "socket://HOST:PORT", not {port}')


def connect(
    port: str = AUTO,
    *,
    timeout: float = 5.0,
    history: bool = False,
    after: tuple[int, int] | None = None,
    watch: bool = False,
    dtr: bool = True,
    rts: bool = True,
) -> Client:
    """Return a client of the unit at `port` that is online; the other options are those of `begin`.

    timeout  seconds until NoUnit

    Raises NoUnit; if another program has the unit, Busy, which is one.
    """
    client = begin(port, history=history, after=after, watch=watch, dtr=dtr, rts=rts)
    try:
        client.wait_online(timeout)
    except NoUnit:
        client.close()
        raise
    return client


def begin(
    port: str = AUTO,
    *,
    history: bool = False,
    after: tuple[int, int] | None = None,
    watch: bool = False,
    dtr: bool = True,
    rts: bool = True,
) -> Client:
    """Return a client that connects to the unit at `port` as soon as it is driven.

    port      a serial port, "socket://HOST:PORT", the address that `city-unit serve` tells
              ("ws://HOST:PORT/SECRET/NAME"), "auto" for the only unit there is, or
              "auto:NAME" for the one called so
    history   begin with the events that the unit still keeps; and when it was started anew,
              with those of before that were not told yet, if it keeps them on disk
    after     the `position` of the last event that this program has had: go on behind it,
              even if that was in another run. If the unit was restarted since, first the
              later events of earlier boots, if it keeps them on disk as an emulated unit
              can; then `Restarted`, and its events from the first on
    watch     only look, beside the program that has the unit; an emulated unit can be watched
              over TCP, every other one through `city-unit serve`
    dtr, rts  how the two lines of a serial port stand once it is open. Both are high by
              default, as every system opens a port: boards with USB of their own say nothing
              while DTR is low. An ESP32 behind a USB adapter is reset by the one without the
              other; if opening its port restarts it, try both low

    Raises NoUnit if "auto" finds none, or several.
    """
    port = choose_port(port)
    return Client(
        port, lambda: open_port(port, dtr, rts), history=history, after=after, watch=watch
    )


def choose_port(port: str) -> str:
    """Return the port of the unit that "auto" or "auto:NAME" means, or `port` as it is.

    Raises NoUnit if there is none, or several; TypeError if it is no text.
    """
    if not isinstance(port, str):
        raise TypeError(NO_TEXT.format(port=repr(port)))
    if not port:
        raise NoUnit(str(NO_NAME))
    if port == AUTO or port.startswith(AUTO + ":"):
        return choose(port[len(AUTO) + 1 :], greet)
    return port


def greet(port: str, timeout: float = 2.0) -> tuple[About, Snapshot]:
    """Return the identity and state of the unit at `port`. Raises NoUnit."""
    with connect(port, timeout=timeout) as client:
        assert client.about is not None and client.snapshot is not None
        return client.about, client.snapshot
