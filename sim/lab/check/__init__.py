"""Checks units and other devices against the expectations of a file."""
