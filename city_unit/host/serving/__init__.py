"""A unit shown to other programs: its hub of peers, the door for browsers, its events on disk."""
