"""The first screen: the players, the rules, or a saved game."""
