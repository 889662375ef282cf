"""The probes: each tests a set of nodes, one way or another."""
