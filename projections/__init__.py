"""The read side: what follows the log and can be rebuilt from it. Empty so far, see README.md."""
