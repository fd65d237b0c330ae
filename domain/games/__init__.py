"""The games that ship with Decklog. Each folder is found by entry point, never by name."""
