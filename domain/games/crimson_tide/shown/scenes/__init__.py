"""The battle as a picture: the table, bases with headings, arcs and bands, and the last action."""
