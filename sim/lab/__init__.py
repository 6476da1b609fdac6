"""The timing lab: scenarios, captures, recordings, and the verdicts that they lead to."""
