"""What happened in a game: in words, as pictures, as files."""
