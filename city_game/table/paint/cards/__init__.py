"""Draws what lies over the city: a sale, a card, a deed, what is looked up, the end."""
