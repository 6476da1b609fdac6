"""The first screen: who plays, by which rules, or which saved game."""
