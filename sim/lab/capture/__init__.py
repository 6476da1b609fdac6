"""How late the edges of a live unit are."""
