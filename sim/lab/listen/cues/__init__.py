"""Which cue is which beep, and the program that can be learned from that."""
