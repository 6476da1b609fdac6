"""Benchmarks: how fast, how small, how exact; each figure beside what it should reach."""
