"""A trace as edges: the stretches in it, and how little room a long one takes."""

import tracemalloc

from sim.engine import edges


def blinking(count):
    """Yield a trace of so many changes: a lamp and a tone, in turns."""
    for place in range(count // 4):
        ms = place * 125
        yield f'{{"ms": {ms}, "lamp": "auction", "on": true}}'
        yield f'{{"ms": {ms}, "tone": 2700}}'
        yield f'{{"ms": {ms + 60}, "lamp": "auction", "on": false}}'
        yield f'{{"ms": {ms + 60}, "tone": 0}}'


def test_a_month_of_changes_fits_into_a_small_computer():
    """Two and a half million changes are a month: of twenty bytes each, 50 MB."""
    count = 10_000
    list(blinking(count))
    tracemalloc.start()
    shown = edges.of_lines(blinking(count), 0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(shown.tones) + len(shown.lamps["auction"]) == count
    assert most < 20 * count


def test_changes_are_read_as_they_were_told():
    shown = edges.of_lines(blinking(8), 200)
    assert list(shown.tones) == [(0, 2700), (60, 0), (125, 2700), (185, 0)]
    assert shown.tones[-1] == (185, 0)
    assert shown.tones[1:3] == [(60, 0), (125, 2700)]
    assert shown.tones == edges.of_lines(blinking(8), 200).tones
    assert list(shown.lamps["auction"]) == [(0, 1), (60, 0), (125, 1), (185, 0)]


def test_what_lasts_until_the_end_ends_there():
    assert list(edges.spans([(5, 440), (9, 0), (12, 2700)], 20)) == [(5, 9, 440), (12, 20, 2700)]
    assert list(edges.spans([(5, 440), (9, 2700)], 9)) == [(5, 9, 440)]
    assert list(edges.spans([], 9)) == []
