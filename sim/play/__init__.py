"""The parts that the window and the terminal share."""
