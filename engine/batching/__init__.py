"""Continuous batching over a black-box model: slots, queue, refill, stops, limits, faults."""
