"""The panels: each draws the lines of one renderable and knows nothing else."""
