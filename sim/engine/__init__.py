"""Run the unit on a desktop: in real or virtual time, served to other programs, recorded."""
