"""Readers of Nsight Compute reports: bytes in, `model.report` nouns out. No NVIDIA software."""
