"""The screen of a search for bad nodes."""
