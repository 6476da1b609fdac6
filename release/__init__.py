"""Everything that a person can download, made from one commit: `python3 start.py release OUT`."""
