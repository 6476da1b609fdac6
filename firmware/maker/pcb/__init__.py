"""A board of our own for a Pico, made from the same descriptions as the wiring. Never built yet."""
