"""Which cue is which beep, and what can be learned from that."""
