"""Rules of Crimson Tide, chapter by chapter."""
