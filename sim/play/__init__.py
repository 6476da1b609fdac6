"""What the window and the terminal share."""
