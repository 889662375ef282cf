"""Recordings of the system that batches: what only they have."""
