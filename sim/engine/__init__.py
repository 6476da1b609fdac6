"""The unit that runs on a desktop: in real time, headless, served to other programs, recorded."""
