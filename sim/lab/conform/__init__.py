"""Whether somebody's unit or client holds to docs/protocol.md: checks, faults, a score card."""
