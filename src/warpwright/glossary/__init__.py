"""Units, labels and meanings of metrics: what a report does not say of its own numbers."""

from warpwright.glossary.meanings import Meaning, describe

__all__ = ["Meaning", "describe"]
