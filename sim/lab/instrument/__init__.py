"""What other instruments saw of a unit: captures of its pins, recordings of its sound."""
