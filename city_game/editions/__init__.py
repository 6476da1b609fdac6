"""What is printed: the board, its file, the house rules, the money."""
