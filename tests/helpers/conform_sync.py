"""A client program for `city-unit conform --client`, with the synchronous client."""

import queue
import sys
import threading

from city_unit import host
from tests.helpers.patience import PATIENCE_S

lines: queue.SimpleQueue[str] = queue.SimpleQueue()


def read() -> None:
    for line in sys.stdin:
        lines.put(line.strip())
    lines.put("")


threading.Thread(target=read, daemon=True).start()
port, last = sys.argv[1:]
boot, _, number = last.partition(".")
after = None if last == "-" else (int(boot), int(number))
with host.connect(port, history=True, after=after, timeout=PATIENCE_S) as unit:
    unit.on(host.Event, lambda event: print(event.number, event.kind, flush=True))
    while True:
        unit.poll(0.02)
        try:
            command = lines.get_nowait()
        except queue.Empty:
            continue
        if not command:
            break
        try:
            unit.send(command, timeout=PATIENCE_S)
            print("done", flush=True)
        except host.Refused as error:
            print("refused", error.why, flush=True)
