"""Commands, events and the table in words; odds; the catalogue."""
