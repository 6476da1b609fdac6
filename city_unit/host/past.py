"""The events of a unit's earlier boots, requested one by one where it keeps them on disk."""

from collections.abc import Callable
from dataclasses import replace

from city_unit.host import messages
from city_unit.host.errors import LinkError, Refused
from city_unit.host.news import Missed, News, Restarted
from city_unit.host.requests import Request
from city_unit.ticks import MASK
from city_unit.wire import number


class Past:
    """Goes on after the last event that was told of an earlier start.

    boot       the boot of the event that is told next, as far as is known
    following  the number of that event
    is_over    whether all has been told that is kept
    """

    def __init__(
        self,
        boot: int,
        following: int,
        ask: Callable[[str], Request],
        tell: Callable[[News], object],
    ) -> None:
        self.boot = boot
        self.following = following
        self.is_over = False
        self._ask = ask
        self._tell = tell
        self._request: Request | None = None

    def go_on(self) -> None:
        """Ask for the next event, unless it is asked for already."""
        if self._request is None:
            self._request = self._ask(
                f"journal {self.boot} {self.following}"  # no text: on the wire
            )
            self._request.when_done = self._take

    def _take(self) -> None:
        request, self._request = self._request, None
        assert request is not None
        try:
            self._read(request.result().split(" "))
        except Refused:
            self.is_over = True  # it keeps nothing on disk, as a board, or is another unit
        except LinkError:
            return  # the line is gone; when it is back, `go_on` asks again
        if not self.is_over:
            self.go_on()

    def _read(self, words: list[str]) -> None:
        event = messages.event(["event", *words])
        boot = number(words[0], MASK)
        if event is None or boot < 0:
            self.is_over = True
            return
        if boot != self.boot:
            self._tell(Restarted(boot))
            self.boot, self.following = boot, 0
        if event.number > self.following:
            self._tell(Missed(self.following, event.number - self.following))
        self.following = event.number + 1
        self._tell(replace(event, boot=boot))
