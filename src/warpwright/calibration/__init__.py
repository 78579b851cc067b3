"""Measure what a GPU reaches, with nothing but its driver, and keep it."""
