"""The benchmarks behind ``batchtui bench``: each prints its figures as ratios to what runs beside
it."""
