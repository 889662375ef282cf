"""The two faces of batchtui, command line and dashboard: both only show what the engine says."""
