"""Rules, numbers, cards, secrecy and whole games of Naval Battles."""
