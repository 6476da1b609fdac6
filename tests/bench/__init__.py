"""Benchmarks: how fast, how small, how exact; each figure beside its target."""
