"""Draws the board and the city on it."""
