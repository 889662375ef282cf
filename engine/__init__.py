"""What is decided: pure, synchronous, without a clock, a socket, a file or global randomness."""
