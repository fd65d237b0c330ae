"""Boards as pictures: what is drawn, for whom, and that it can be read."""
