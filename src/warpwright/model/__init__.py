"""The nouns: report, finding, digest, task, candidate, build report, verdict, event."""
