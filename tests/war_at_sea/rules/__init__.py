"""Rules of War at Sea, chapter by chapter."""
