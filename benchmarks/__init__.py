"""Measurements: `python -m benchmarks`. Figures are printed and written down, never asserted in a test."""
