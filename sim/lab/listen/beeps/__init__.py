"""The beeps in a sound."""
