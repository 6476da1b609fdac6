"""The unit in a window: layout is geometry, the rest of the modules draw or drive."""
