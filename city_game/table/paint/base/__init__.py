"""What all painters share: letters and shapes, the layout, the view."""
