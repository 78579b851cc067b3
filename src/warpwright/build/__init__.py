"""Compile a candidate and say what the compiler made of it."""
