"""Crimson Tide in words."""
