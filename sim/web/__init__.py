"""The unit in a web page, the simulator's third front end next to the window and the terminal."""
