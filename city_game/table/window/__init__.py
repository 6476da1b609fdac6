"""The table's window: its view, its choices, its keys and clicks, and the command."""
