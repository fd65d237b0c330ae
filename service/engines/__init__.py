"""What decides a game, as one file: built from the sources, with one digest under every Python."""
