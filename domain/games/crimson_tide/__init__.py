"""Crimson Tide: naval war on an open table, in exact integers."""
