"""The figures of lateness, from lists whose figures are known."""

from sim.lab.capture import lateness


def test_median_p99_and_worst():
    found = lateness.summarise("tone on", [*range(1000, 100_001, 1000)])
    assert found == ("tone on", 100, 50.0, 99.0, 100.0)
    assert lateness.summarise("x", [5]) == ("x", 1, 0.005, 0.005, 0.005)


def test_the_worst_may_be_early():
    assert lateness.summarise("x", [-3000, 1000, 2000]).worst_ms == -3.0


def test_histogram_counts_all():
    lines = lateness.histogram([-100, 0, 40, 60, 20_000])
    assert sum(int(line.split()[2]) for line in lines) == 5
    assert len(lines) <= 21
    assert lateness.histogram([10_000_000_000, 0])
