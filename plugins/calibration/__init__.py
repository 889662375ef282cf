"""What a backend's calls cost: measured, fitted, and checked against the backend itself."""
