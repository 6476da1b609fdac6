"""The commands of `city-game`, one a module."""
