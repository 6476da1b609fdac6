"""The case: a round disc for a 3D printer. Needs the optional extra `case`."""
