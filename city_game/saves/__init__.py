"""Saved games: readable text, written step by step."""
