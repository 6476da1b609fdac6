"""The course of a game: in words, as pictures, as files."""
