"""This service's public log: leaves in the store, tiles in a folder, checkpoints that it signs."""
