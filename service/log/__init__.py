"""The public log: a tree of hashes over all games' events, which nobody can rewrite unseen."""
