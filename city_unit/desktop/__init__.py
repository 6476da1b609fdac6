"""What all our desktop programs share; nothing here needs pygame, and nothing runs on a board."""
