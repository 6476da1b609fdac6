"""Recordings and microphones, as samples at one rate."""
