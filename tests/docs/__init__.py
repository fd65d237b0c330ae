"""The documents: links lead somewhere, and what they show is what happens."""
