"""The table as a picture: fleets in rows, hands as backs, piles, damage, and the last action."""
