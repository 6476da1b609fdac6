"""Share a unit with other programs: a hub of peers, a WebSocket server, and events on disk."""
