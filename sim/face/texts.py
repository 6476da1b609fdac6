"""The words on the disc, and the words for its sounds."""

from city_unit.desktop.catalogue import lazy

AUCTION_LABEL = lazy("AUCTION")
BUILD_LABEL = lazy("BUILD")
NO_SOUND = lazy("{program}: there is no sound device; the unit goes on in silence")
