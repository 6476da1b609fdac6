"""The unit in a terminal, for computers without a display and for people who prefer it."""
