"""Abilities: one file per family, the words they are written in, and what they add up to."""
