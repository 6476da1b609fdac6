"""The players' telephones: each is a hand and a button, over the home network.

`server` alone opens a door; all else is pure: messages and times go in, messages come out.
"""
