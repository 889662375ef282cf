"""What the screen says, as pure functions: a scene and a size in, lines of styled spans out."""
