"""Where faces come from: NWD-1, byte for byte (nwd1), and the keeper of its secrets (vault)."""
