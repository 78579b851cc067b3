"""The verbs, one file each: they take and return models."""
