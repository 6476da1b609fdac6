"""Type errors in uses of `city_unit.host`: a type checker must find exactly the marked ones.

`tests/types` checks this file; an unnecessary mark is an error.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from city_unit import host


def waits() -> None:
    host.connect("auto", histroy=True)  # pyright: ignore
    with host.connect("auto", history=True) as unit:
        unit.on("auction-endde", print)  # pyright: ignore
        unit.tap("lamp")  # pyright: ignore
        ended = unit.wait_for("auction-ended", timeout=60)
        print(ended.ms, ended.fields["length_ms"])
        print(ended.milliseconds)  # pyright: ignore
        print(unit.snapshot.state)  # pyright: ignore
        unit.send(b"tap auction")  # pyright: ignore
        unit.on("auction-started", lambda event: print(event.ms))
        unit.on(host.Disconnected, lambda news: print(news.why))
        for news in unit:
            if isinstance(news, host.Restarted):
                print(news.boot)


async def awaits() -> None:
    async with host.open_async("auto", history=True) as unit:
        unit.tap("auction")  # pyright: ignore
        await unit.tap("auction")
        print((await unit.wait_for(host.Disconnected)).why)
