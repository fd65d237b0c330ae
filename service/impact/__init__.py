"""The impact of a change of rules: recorded decisions, decided again by other rules."""
