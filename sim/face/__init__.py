"""The disc, seen and heard: drawn and sounded from the outputs of the unit."""
