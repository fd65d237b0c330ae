"""What makes a game provable: the chain of hashes, sealed data, the bundle and its verifier."""
