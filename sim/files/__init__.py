"""The files that people write: scenarios and programs."""
