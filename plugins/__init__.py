"""What touches the world: models, formats, benches, each behind a Protocol of the engine."""
