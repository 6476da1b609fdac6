"""Helpers for the tests of several rooms; no test imports another test."""
