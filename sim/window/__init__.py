"""The unit in a window: layout is geometry; snapshot, what is shown; the rest draws or drives."""
