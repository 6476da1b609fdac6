"""What a scenario expects: its blocks, and how a trace is held against them."""
