"""Draws the cards over the city: a sale, a card, a deed, a page of reference, the end."""
