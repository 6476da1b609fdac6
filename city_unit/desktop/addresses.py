"""Network addresses: parse HOST:PORT, and find the address that other devices can use."""

import ipaddress
import socket
import sys

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError, at

BAD_PORT = lazy("the port must be a number from 0 to 65535")


def parse(address: str) -> tuple[str, int]:
    """Return the host and the port. Raises UserError."""
    host, _colon, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not port:
        words = _(
            "{address} is not of the form HOST:PORT, as in 127.0.0.1:7007 (port 0 selects a free"
            " one)"
        )
        raise UserError(words.format(address=address))
    if not is_port(port):
        raise UserError(at(address, BAD_PORT))
    return host, int(port)


def is_port(text: str) -> bool:
    """Return whether `text` is a port number, 0 to 65535."""
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= 65535


def is_loopback(host: str) -> bool:
    """Return whether only this computer can connect to `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reachable(host: str) -> str:
    """Return the address of a listener at `host` for other devices, as in a URL."""
    if host in ("0.0.0.0", "::"):  # all of its addresses
        host = own(socket.AF_INET6 if ":" in host else socket.AF_INET) or socket.gethostname()
    return in_url(host)


def in_url(host: str) -> str:
    """Return `host` as written in a URL."""
    return f"[{host}]" if ":" in host else host


def show_code(text: str) -> None:
    """Print `text` as a QR code, if the output is a terminal."""
    if not sys.stdout.isatty():
        return
    import segno

    segno.make(text).terminal(compact=True)


def own(family: int = socket.AF_INET) -> str:
    """Return this computer's address in its network; "" without a network."""
    outside = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # reserved, unused
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((outside, 9))  # a datagram socket sends nothing on connecting
            return str(probe.getsockname()[0])
        except OSError:
            return ""
