"""How an edition is played, and by which books."""

from city_game.kernel.edition import Edition
from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import all_of


def books(edition: Edition) -> str:
    """Return the books that an edition goes by, and the gaps in them; "" for none."""
    sources = edition.sources
    if not sources:
        return ""
    by = _("By {books}.").format(books=all_of([str(source.book) for source in sources]))
    return " ".join((by, *(str(source.gaps) for source in sources if source.gaps)))


def sentences(edition: Edition) -> tuple[str, ...]:
    """Return how an edition is played, and by which books, a sentence or two each."""
    said = (*map(str, edition.words.how_to_play), books(edition))
    return tuple(filter(None, said))
