"""How the next tests are chosen: a strategy a file."""
