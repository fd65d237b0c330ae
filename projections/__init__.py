"""The read side: what follows the log of events and can be rebuilt from it."""
