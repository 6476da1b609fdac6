"""The commands of `city-game`, a module each."""
