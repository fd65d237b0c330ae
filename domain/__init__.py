"""The pure heart of Decklog: a kernel and the games built on it."""
