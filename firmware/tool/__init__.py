"""The desktop tools that put the unit onto a board and look after it there."""
