"""All downloads, built from one commit: `python3 start.py release OUT`."""
