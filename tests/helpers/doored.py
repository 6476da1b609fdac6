"""A unit behind a door for browsers."""

from collections.abc import Iterable, Mapping
from typing import Any

from city_unit import host
from city_unit.host.serving.client_stage import ClientStage
from city_unit.host.serving.web_door import File, WebDoor
from tests.city_unit.served import PATIENCE_S, Served


class Doored:
    """A unit, its owner, and the door to it."""

    def __init__(
        self,
        may_act: bool = True,
        origins: Iterable[str] = (),
        beside: Mapping[str, File] | None = None,
    ) -> None:
        self._options = (may_act, origins, beside)

    async def __aenter__(self) -> "Doored":
        self.served = await Served().__aenter__()
        self.unit = host.AsyncClient(host.begin(self.served.port, history=True))
        self.stage = ClientStage(self.unit)
        await self.unit.wait_online(PATIENCE_S)
        self.door = WebDoor({"test": self.stage.audience}, *self._options)
        await self.door.open("127.0.0.1", 0)
        self.address = f"ws://{self.door.name}/{self.door.secret}/test"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.door.close()
        await self.unit.close()
        await self.served.__aexit__()

    def watcher(self, **options: Any) -> host.open_async:
        return host.open_async(self.address, watch=True, timeout=PATIENCE_S, **options)
