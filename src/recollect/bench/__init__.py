"""Measurements: `recollect bench`. Figures are printed and written down, never asserted in a test."""
