"""Tests that take long: make fuzz."""
