"""Shared by all our desktop programs; nothing here needs pygame, and nothing runs on a board."""
