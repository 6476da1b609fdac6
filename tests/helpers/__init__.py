"""Helpers of the tests of several rooms; no test imports a test."""
