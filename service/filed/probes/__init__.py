"""Saved questions: one TOML file for each ruleset, and one for all of them."""
