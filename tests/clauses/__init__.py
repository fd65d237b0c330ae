"""Clause coverage: which rules and proofs stand for each sentence of the five originals."""
