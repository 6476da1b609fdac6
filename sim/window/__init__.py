"""The unit in a window: `loop` drives it, `snapshot` collects what is shown, `scene` draws it."""
