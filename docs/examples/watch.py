# python watch.py ws://127.0.0.1:7008/SECRET/NAME      (or socket://HOST:PORT, a serial port, auto)
import sys

from city_unit import host

with host.connect(sys.argv[1], watch=True) as unit:
    print(f"connected to {unit.about.name}", flush=True)
    for news in unit:
        if isinstance(news, host.Event):
            print(news.ms, news.kind, *news.fields.values(), flush=True)
            if news.kind == "auction-ended":
                break
