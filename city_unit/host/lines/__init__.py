"""The lines to units: ports of every kind, and which units can be reached."""
