"""Seven mistakes of a user of `city_unit.host`, each marked: a type checker finds them all."""

from city_unit import host


def waits() -> None:
    host.connect("auto", histroy=True)  # mistake
    with host.connect("auto", history=True) as unit:
        unit.on("auction-endde", print)  # mistake
        unit.tap("lamp")  # mistake
        ended = unit.wait_for("auction-ended", timeout=60)
        print(ended.ms, ended.fields["length_ms"])
        print(ended.milliseconds)  # mistake
        print(unit.snapshot.state)  # mistake
        unit.send(b"tap auction")  # mistake
        unit.on("auction-started", lambda event: print(event.ms))
        unit.on(host.Disconnected, lambda news: print(news.why))
        for news in unit:
            if isinstance(news, host.Restarted):
                print(news.boot)


async def awaits() -> None:
    async with host.open_async("auto", history=True) as unit:
        unit.tap("auction")  # mistake
        await unit.tap("auction")
        print((await unit.wait_for(host.Disconnected)).why)
