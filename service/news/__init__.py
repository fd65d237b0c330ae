"""Who listens to which game, in this process and, through Redis, in the other workers.

Hints, never the truth: Redis may vanish at any moment, and then each worker goes on by itself.
"""
