"""Whole games of bots in virtual time, and statistics of many games."""
