"""What NVIDIA publishes of its devices, and what an SM does in a clock."""
