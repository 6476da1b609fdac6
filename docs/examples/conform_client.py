# A client for `city-unit conform --client "python conform_client.py {port} {after}"`; without
# {after} nothing kills and restarts it.
import asyncio
import sys

from city_unit import host


async def main() -> None:
    port, last = [*sys.argv[1:], "-"][:2]
    boot, _, number = last.partition(".")
    after = None if last == "-" else (int(boot), int(number))
    async with host.open_async(port, history=True, after=after, timeout=30) as unit:
        unit.on(host.Event, lambda event: print(event.number, event.kind, flush=True))
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            try:
                await unit.send(line, timeout=30)
                print("done", flush=True)
            except host.Refused as error:
                print("refused", error.why, flush=True)


asyncio.run(main())
