"""The tests. Read README.md here first."""
