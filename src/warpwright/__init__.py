"""Warpwright: optimize GPU kernels from evidence instead of theory."""

__version__ = "0.1.0"
