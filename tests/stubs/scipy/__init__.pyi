"""What `sim.lab.listen` takes of scipy, which has no types: to infer them takes half a minute."""
