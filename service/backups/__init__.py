"""Copies of a store, and the proof that they are good for something."""
