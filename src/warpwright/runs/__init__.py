"""The append-only store of a run: events.jsonl and content-addressed blobs."""
