"""Crimson Tide: the open table."""
