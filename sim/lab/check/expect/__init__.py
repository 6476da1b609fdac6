"""The expectations of a scenario: its blocks, and how a trace is held against them."""
