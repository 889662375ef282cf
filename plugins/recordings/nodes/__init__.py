"""Recordings of the system that tests nodes: what only they have."""
