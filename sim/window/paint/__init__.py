"""Draws the window: a function of a view and a layout."""
