"""Models to text and HTML."""
