"""The panels of a search as widgets."""
