"""What tests of several rooms share; no test imports a test."""
