"""A unit shown to other programs: its audience, the door for browsers, its events on disk."""
