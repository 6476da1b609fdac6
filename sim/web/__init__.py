"""The unit in a page: the third face of the simulator, beside the window and the terminal."""
