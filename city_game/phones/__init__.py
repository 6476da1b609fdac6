"""The players' telephones: each shows a player's hand and one large button, over the home network.

Only `server` does I/O. The other modules are pure: they receive messages with times, and return
messages.
"""
