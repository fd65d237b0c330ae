"""The battle as a picture: the map, what lies on it, each side's holdings, and the last action."""
