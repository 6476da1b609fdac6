# python watch.py ADDRESS: ws://127.0.0.1:7008/SECRET/NAME, socket://HOST:PORT, a port, or auto
import sys

from city_unit import host

if len(sys.argv) != 2:
    sys.exit("watch.py: give the ADDRESS of a unit, or auto")

with host.connect(sys.argv[1], watch=True) as unit:
    print(f"connected to {unit.about.name}", flush=True)
    for news in unit:
        if isinstance(news, host.Event):
            print(news.ms, news.kind, *news.fields.values(), flush=True)
            if news.kind == "auction-ended":
                break
