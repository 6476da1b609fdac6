"""The purpose of the unit and the effects of keys, in words of a child of ten."""

from city_unit.desktop.catalogue import lazy

# A thing, "" where the line above goes on, and its effect.
USES = (
    (lazy("AUCTION"), lazy("starts an auction: bid as long as the light flashes")),
    ("", lazy("it goes out: sold. Hold it for 2 seconds to stop one")),
    (lazy("BUILD"), lazy("tells what may be built: 1, 2 or 3 blocks, or a station")),
    (lazy("slide"), lazy("on: the hour begins; off: it ends, and R takes that back")),
)
