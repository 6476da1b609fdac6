"""Connections between a client and its unit that a test can watch, inject into, and cut."""

from city_unit.host.ports import Port, open_port


class Line:
    """A port that records what its client writes, and that the test can inject into and cut."""

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

    line  the current line
    """

    def __init__(self, port: str) -> None:
        self._port = port
        self.line: Line | None = None

    def __call__(self) -> Port:
        self.line = Line(open_port(self._port))
        return self.line

    def drop(self) -> None:
        """Close the line without a goodbye, as a killed program does."""
        if self.line is not None:
            self.line.close()

    def pull_out(self) -> None:
        """Cut the line; the client's next read fails."""
        if self.line is not None:
            self.line.is_out = True
