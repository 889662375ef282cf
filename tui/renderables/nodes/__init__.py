"""What the screen shows of a search for bad nodes: pure functions from a scene to lines."""
