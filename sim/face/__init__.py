"""The disc, seen and heard: drawn and sounded from what the unit shows."""
