"""Recordings as files: written while a run goes on, opened again at any moment of it."""
