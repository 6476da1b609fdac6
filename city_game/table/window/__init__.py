"""The table's window: what is shown and chosen, what keys and clicks do, and the command."""
