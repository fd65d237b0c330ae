"""The way of a command: checks, decide, dice, records, and the one thread that writes them."""
