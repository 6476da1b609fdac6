"""Lines between a client and its unit of which a test has hold too."""

from city_unit.host.ports import Port, open_port


class Line:
    """A line that a test writes to as well, reads along, and pulls out."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self.written = b""  # by the client
        self.is_out = False
        self.fileno = port.fileno
        self.close = port.close

    def read(self, timeout: float) -> bytes:
        if self.is_out:
            raise OSError("the cable was pulled out")
        return self._port.read(timeout)

    def write(self, data: bytes) -> int:
        count = self.inject(data)
        self.written += data[:count]
        return count

    def inject(self, data: bytes) -> int:
        """Write bytes that the client did not send."""
        return self._port.write(data)


class Opener:
    """Opens lines to a port, for a client.

    line  the latest, which is the one in use
    """

    def __init__(self, port: str) -> None:
        self._port = port
        self.line: Line | None = None

    def __call__(self) -> Port:
        self.line = Line(open_port(self._port))
        return self.line

    def drop(self) -> None:
        """Close the line without a goodbye, as the kill of a program does."""
        if self.line is not None:
            self.line.close()

    def pull_out(self) -> None:
        """Have the client lose its line in the middle of whatever is under way."""
        if self.line is not None:
            self.line.is_out = True
