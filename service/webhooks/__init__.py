"""Webhooks: "your turn" and "game over" told to an address of the player's own."""
