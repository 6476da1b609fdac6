"""Where a unit listens: addresses as people write them, and how they reach another device."""

import ipaddress
import socket
import sys

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.errors import UserError, at

BAD_ADDRESS = lazy(
    "{address} is not of the form HOST:PORT, as in 127.0.0.1:7007 (port 0: a free one)"
)
BAD_PORT = lazy("a port is a number from 0 to 65535")
_ANY = ("0.0.0.0", "::")


def parse(address: str) -> tuple[str, int]:
    """Return the host and the port. Raises UserError."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not port:
        raise UserError(BAD_ADDRESS.format(address=address))
    if not is_port(port):
        raise UserError(at(address, BAD_PORT))
    return host, int(port)


def is_port(text: str) -> bool:
    """Return whether a text is the number of a port, 0 to 65535."""
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= 65535


def is_loopback(host: str) -> bool:
    """Return whether only this computer can connect to that address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reachable(host: str) -> str:
    """Return the address by which others reach a listener at `host`, as in a URL."""
    if host in _ANY:
        host = own(socket.AF_INET6 if ":" in host else socket.AF_INET) or socket.gethostname()
    return in_url(host)


def in_url(host: str) -> str:
    """Return `host` as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def show_code(text: str) -> None:
    """Show `text` as a QR code, for the camera of a telephone; not where nobody would see it."""
    if not sys.stdout.isatty():
        return
    import segno

    segno.make(text).terminal(compact=True)


def own(family: int = socket.AF_INET) -> str:
    """Return this computer's address in its network; "" if it is in none."""
    outside = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # of nobody
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((outside, 9))  # which sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return ""
