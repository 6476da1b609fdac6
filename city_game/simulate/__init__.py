"""Whole games of bots in virtual time, and what many of them come to."""
