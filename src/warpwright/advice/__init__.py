"""Pure functions from a launch to findings, and the ranking of them."""
