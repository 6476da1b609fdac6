"""The table: the game in a window, with the unit beside it, reached only through the link."""
